import { constants, deflateRawSync } from 'node:zlib';
import { Zip, ZipPassThrough } from 'fflate';

/** Of every part, in whatever zone: it says nothing, and the same parts are the same bytes. */
const WRITTEN = '1980-01-01T12:00:00';

const DEFLATED = 8;

/** Sizes in a ZIP have 32 bits. */
const LARGEST = 0xff_ff_ff_ff;

/** A part that is packed piece by piece, by Node: each piece ends on a whole byte, so that they can stand one behind the other. */
class DeflatedPart extends ZipPassThrough {
  constructor(name: string) {
    super(name);
    this.compression = DEFLATED;
    this.mtime = WRITTEN;
  }

  protected override process(piece: Uint8Array<ArrayBuffer>, final: boolean): void {
    const finishFlush = final ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
    this.ondata(null, new Uint8Array(deflateRawSync(piece, { finishFlush })), final);
  }
}

/** Packs parts one after the other, and gives what is packed as soon as it is. */
export class ZipStream {
  #ready: Uint8Array[] = [];
  #part: DeflatedPart | null = null;
  #bytes = 0;
  readonly #zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    this.#bytes += piece.length;
    if (piece.length > 0) this.#ready.push(piece);
  });

  /** Begins a part; the one before it is ended. */
  begin(name: string): void {
    this.#endPart();
    this.#part = new DeflatedPart(name);
    this.#zip.add(this.#part);
  }

  /** @throws RangeError where the file gets larger than a ZIP can be */
  push(text: string): void {
    if (this.#part === null) return;
    this.#part.push(new Uint8Array(Buffer.from(text)), false);
    if (this.#part.size > LARGEST || this.#bytes > LARGEST) throw new RangeError('more than 4 GiB');
  }

  end(): void {
    this.#endPart();
    this.#zip.end();
  }

  /** What is packed since it was taken last. */
  take(): Uint8Array {
    const ready = Buffer.concat(this.#ready);
    this.#ready = [];
    return ready;
  }

  #endPart(): void {
    this.#part?.push(new Uint8Array(0), true);
    this.#part = null;
  }
}
