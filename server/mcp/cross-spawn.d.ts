/** What Parley uses of cross-spawn, which brings no types of its own. */
declare module 'cross-spawn' {
  import type { ChildProcessWithoutNullStreams, SpawnOptionsWithoutStdio } from 'node:child_process';

  /** Like Node's `spawn`; on Windows it also starts scripts, such as `npx`. */
  export default function spawn(
    command: string,
    args: readonly string[],
    options: SpawnOptionsWithoutStdio,
  ): ChildProcessWithoutNullStreams;
}
