import type { Claim } from '../owner.ts';
import { askOwner, claimSocket } from './named-socket.ts';
import { findHolder } from './socket-holder.ts';

/**
 * Anybody on the computer can take an abstract name before Parley does. Only a process of our own user's that is seen to
 * hold it counts as an owner; whoever else has it must not keep Parley from starting.
 */
export async function claimAbstract(name: string, warn: (line: string) => void): Promise<Claim> {
  const address = `\0${name}`;
  const claimed = await claimSocket(address);
  if (claimed !== null) return claimed;
  const owner = await askOwner(address);
  if (owner === null || (await findHolder(name)) !== null) return { owner };
  warn(
    'Another program has taken the name by which Parley would know that the data folder is in use, so it can’t tell whether another Parley uses it.',
  );
  return { ownership: { announce: () => undefined, release: () => Promise.resolve() } };
}
