import type { Position } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { Recent } from '../domain/recent.ts';
import type { ExportManifest } from '../queries/exports/export-manifest.ts';
import type { AskedExport } from '../queries/exports/export-questions.ts';
import { requestKey, type ExportRequest } from '../queries/exports/export-request.ts';

/** Manifests of what was downloaded lately, a KB each. */
const MANIFESTS = 1_000;

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
  readonly #manifests = new Recent<string, ExportManifest>(MANIFESTS);

  of(keyId: string, { request, askedAt }: Wanted, position: Position | null): ExportManifest | null {
    return this.#manifests.get(nameOf(askedAt === null ? keyId : null, request, position)) ?? null;
  }

  put(keyId: string, manifest: ExportManifest): void {
    for (const whose of [keyId, null]) {
      this.#manifests.put(nameOf(whose, manifest.request, manifest.position), manifest);
    }
  }
}
