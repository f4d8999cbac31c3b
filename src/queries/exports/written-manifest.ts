import { ExportManifestResource, manifestResource, type ExportManifest } from './export-manifest.ts';

/**
 * A manifest as the text that is sent. It has a line for each currency, of which there may be thousands: it is written where
 * the file is made, and not read again by who passes it on. Plain data.
 */
export type WrittenManifest = Pick<ExportManifest, 'request' | 'position'> & {
  readonly bytes: Uint8Array<ArrayBuffer>;
};

/** Writes a manifest. */
export const writtenManifest = (manifest: ExportManifest): WrittenManifest => ({
  request: manifest.request,
  position: manifest.position,
  bytes: new TextEncoder().encode(JSON.stringify(ExportManifestResource.encode(manifestResource(manifest)))),
});
