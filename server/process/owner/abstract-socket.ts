import type { Claim, Held } from './owner.ts';
import type { Owner } from './owner-words.ts';
import { askOwner, claimSocket } from './named-socket.ts';
import { findHolder } from './socket-holder.ts';

/**
 * Anybody on the computer can take an abstract name before Parley does. Only a process of our own user's that is seen to
 * hold it counts as an owner; whoever else has it must not keep Parley from starting.
 */
export async function claimAbstract(
  name: string,
  isInPlace: Held['isInPlace'],
  warn: (line: string) => void,
): Promise<Claim> {
  const address = `\0${name}`;
  const claimed = await claimSocket(address, isInPlace);
  if (claimed !== null) return claimed;
  const owner = await askOwner(address);
  if (owner === null || (await findHolder(name)) !== null) return { owner };
  warn(
    'Another program has taken the name by which Parley would know that the data folder is in use, so it can’t tell whether another Parley uses it.',
  );
  return { held: { announce: () => undefined, release: () => Promise.resolve(), isInPlace } };
}

/** The claim by a socket in the folder with the abstract name besides, where nobody has that: it can't be removed. */
export async function withAbstract(held: Held, name: string): Promise<Held> {
  const isInPlace = (): Promise<boolean> => held.isInPlace();
  const besides = await claimSocket(`\0${name}`, isInPlace).catch(() => null);
  if (besides === null) return held;
  return {
    announce(baseUrl) {
      held.announce(baseUrl);
      besides.held.announce(baseUrl);
    },
    // First the name: who sees the folder free is to have it.
    async release() {
      await besides.held.release();
      await held.release();
    },
    isInPlace,
  };
}

/** Who has the name, if it is another process of our own user's; else null. */
export async function askHolder(name: string): Promise<Owner | null> {
  const owner = await askOwner(`\0${name}`);
  const pid = owner && (await findHolder(name));
  return pid === null || pid === process.pid ? null : owner;
}
