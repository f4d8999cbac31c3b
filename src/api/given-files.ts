import type { Position } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { Recent } from '../domain/recent.ts';
import type { WrittenManifest } from '../queries/exports/written-manifest.ts';
import type { AskedExport } from '../queries/exports/export-questions.ts';
import { requestKey, type ExportRequest } from '../queries/exports/export-request.ts';

/** Manifests of what was downloaded lately: of some KB each, of some MB where there are thousands of currencies. */
const MANIFESTS = 1_000;
const MOST_BYTES = 64 * 1_048_576;

/** A manifest under one of its names. They are kept and dropped together, so that one of them counts for both. */
type Named = { readonly manifest: WrittenManifest; readonly weight: number };

/** A manifest that somebody wants. `askedAt`: the moment that they name; null: the last. */
export type Wanted = AskedExport & { readonly askedAt: Instant | null };

/** Of a key's own last file, or of any that was made at the moment of the request. */
const nameOf = (keyId: string | null, request: ExportRequest, position: Position | null): string =>
  JSON.stringify([keyId, keyId === null ? request.now : null, position, requestKey(request)]);

/**
 * Manifests of the files that were given. Whether an order is overdue changes with time alone, so that the same export made
 * again is another file: who asks for a manifest gets that of the file that was made at the moment they name, else of the
 * one that their key was given last.
 */
export class GivenFiles {
  readonly #manifests = new Recent<string, Named>(MOST_BYTES, ({ weight }) => weight);

  of(keyId: string, { request, askedAt }: Wanted, position: Position | null): WrittenManifest | null {
    return this.#manifests.get(nameOf(askedAt === null ? keyId : null, request, position))?.manifest ?? null;
  }

  put(keyId: string, manifest: WrittenManifest): void {
    const { request, position, bytes } = manifest;
    this.#manifests.put(nameOf(keyId, request, position), { manifest, weight: 0 });
    const weight = bytes.length + MOST_BYTES / MANIFESTS;
    this.#manifests.put(nameOf(null, request, position), { manifest, weight });
  }
}
