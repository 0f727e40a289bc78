import { existsSync, readFileSync } from 'node:fs';
import { guardClass } from './guard.ts';

const PNG_SIGNATURE = '89504e470d0a1a0a';

/** An image of which only size and bytes are known. */
export class NativeImage {
  static createEmpty = (): NativeImage => new NativeImage(Buffer.alloc(0));
  /** Empty when there is no such file, as documented. */
  static createFromPath = (path: string): NativeImage =>
    new NativeImage(existsSync(path) ? readFileSync(path) : Buffer.alloc(0));
  static createFromBuffer = (buffer: Buffer): NativeImage => new NativeImage(buffer);
  static createFromDataURL = (url: string): NativeImage =>
    new NativeImage(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));

  isMacTemplateImage = false;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  isEmpty(): boolean {
    return this.#bytes.length === 0;
  }
  getSize(): Electron.Size {
    if (this.#bytes.subarray(0, 8).toString('hex') !== PNG_SIGNATURE) return { width: 0, height: 0 };
    return { width: this.#bytes.readUInt32BE(16), height: this.#bytes.readUInt32BE(20) };
  }
  getAspectRatio(): number {
    return this.getSize().width / (this.getSize().height || 1);
  }
  getScaleFactors(): number[] {
    return [1];
  }
  resize(_options: object): this {
    return this;
  }
  crop(_rectangle: object): this {
    return this;
  }
  addRepresentation(_options: object): void {
    // Nothing shows.
  }
  toPNG(): Buffer {
    return this.#bytes;
  }
  toDataURL(): string {
    return `data:image/png;base64,${this.#bytes.toString('base64')}`;
  }
  setTemplateImage(template: boolean): void {
    this.isMacTemplateImage = template;
  }
  isTemplateImage(): boolean {
    return this.isMacTemplateImage;
  }
}
guardClass('nativeImage', NativeImage);

/** From a file's path, or as it is. */
export const toImage = (image: NativeImage | string): NativeImage =>
  typeof image === 'string' ? NativeImage.createFromPath(image) : image;
