/** What Parley uses of cross-spawn, which brings no types of its own. */
declare module 'cross-spawn' {
  import type { ChildProcessWithoutNullStreams, SpawnOptionsWithoutStdio } from 'node:child_process';

  /** As `spawn` of Node; on Windows it also starts what is a script there, as `npx` is. */
  export default function spawn(
    command: string,
    args: readonly string[],
    options: SpawnOptionsWithoutStdio,
  ): ChildProcessWithoutNullStreams;
}
