/** The tools inside electron-builder, in the versions that it packs with. */
import { createRequire } from 'node:module';

/** What is used of @electron/asar. */
interface Asar {
  createPackage(folder: string, archive: string): Promise<void>;
  listPackage(archive: string, options: { isPack: boolean }): string[];
  statFile(archive: string, file: string): { files?: unknown; unpacked?: boolean };
  extractFile(archive: string, file: string): Buffer;
  extractAll(archive: string, folder: string): void;
  getRawHeader(archive: string): { headerString: string };
}

/** What is used of @electron/fuses. */
interface Fuses {
  getCurrentFuseWire(executable: string): Promise<Record<string, number | string>>;
  flipFuses(executable: string, config: Record<string, string | boolean>): Promise<unknown>;
  FuseVersion: { V1: string };
  FuseV1Options: Record<FuseName, number> & Record<string, number | string>;
}

type FuseName =
  | 'RunAsNode'
  | 'EnableNodeOptionsEnvironmentVariable'
  | 'EnableNodeCliInspectArguments'
  | 'EnableEmbeddedAsarIntegrityValidation'
  | 'OnlyLoadAppFromAsar'
  | 'LoadBrowserProcessSpecificV8Snapshot';

const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
const builderLib = createRequire(builder.resolve('app-builder-lib'));

/** Reads and writes app archives. */
export const asar = builderLib('@electron/asar') as Asar;
/** Reads and sets a program's fuses. */
export const fuses = builderLib('@electron/fuses') as Fuses;
/** What a program's fuses come after. */
export const { SENTINEL } = builderLib('@electron/fuses/dist/constants') as { SENTINEL: string };
/** Reads and writes a Mac's property lists. */
export const plist = builderLib('plist') as {
  build(value: object): string;
  parse(text: string): Record<string, unknown>;
};
