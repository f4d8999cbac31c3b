import type { Position } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { Recent } from '../domain/recent.ts';
import type { ExportManifest } from '../queries/exports/export-manifest.ts';
import type { AskedExport } from '../queries/exports/export-questions.ts';
import { requestKey, type ExportRequest } from '../queries/exports/export-request.ts';

/** Manifests of what was downloaded lately, a KB each; one of thousands of currencies counts for as many as it has KB. */
const MANIFESTS = 500;

const BYTES = 1_024;
/** Of one currency, besides its name. */
const SUM_BYTES = 128;

const weightOf = ({ sums }: ExportManifest): number =>
  1 + Math.floor(sums.reduce((bytes, { currency }) => bytes + SUM_BYTES + currency.length, 0) / BYTES);

/** A manifest that somebody wants. `askedAt`: the moment that they name; null: the last. */
export type Wanted = AskedExport & { readonly askedAt: Instant | null };

/** @param whose the key whose own last file it is, or the moment at which any was made */
const nameOf = (whose: string, request: ExportRequest, position: Position | null): string =>
  JSON.stringify([whose, position, requestKey(request)]);

/**
 * Manifests of the files that were given. Whether an order is overdue changes with time alone, so that the same export made
 * again is another file: who asks for a manifest gets that of the file that was made at the moment they name, else of the
 * one that their key was given last.
 */
export class GivenFiles {
  readonly #ofKeys = new Recent<string, ExportManifest>(MANIFESTS, weightOf);
  readonly #ofMoments = new Recent<string, ExportManifest>(MANIFESTS, weightOf);

  of(keyId: string, { request, askedAt }: Wanted, position: Position | null): ExportManifest | null {
    const found =
      askedAt === null
        ? this.#ofKeys.get(nameOf(keyId, request, position))
        : this.#ofMoments.get(nameOf(request.now, request, position));
    return found ?? null;
  }

  put(keyId: string, manifest: ExportManifest): void {
    const { request, position } = manifest;
    this.#ofKeys.put(nameOf(keyId, request, position), manifest);
    this.#ofMoments.put(nameOf(request.now, request, position), manifest);
  }
}
