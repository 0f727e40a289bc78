/** `parley keys`: API keys for other programs. */
import type { CreatedKey, Key, KeyAnswer, KeyList, KeyScope } from '../../shared/api/key.ts';
import { type Client, connect, type ListOptions } from './client.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { shortId } from './find-chat.ts';
import { sayTable, timeColumn } from './table.ts';
import { hint, note, say, sayJson, withoutControls } from './terminal.ts';

/** Lists the valid keys, or all keys ever created. */
export async function printKeys(options: ListOptions & { all?: true }): Promise<void> {
  const client = await connect(options);
  const { keys } = await client.get<KeyList>('/api/v1/keys');
  const listed = options.all ? keys : keys.filter((key) => stateOf(key) === 'active');
  if (options.json) sayJson({ keys: listed });
  else
    sayTable(listed, [
      { heading: 'ID', value: ({ id }) => id, shown: ({ id }) => shortId(id) },
      { heading: 'NAME', value: ({ name }) => name, isFlexible: true },
      { heading: 'KEY', value: ({ prefix }) => `${prefix}…` },
      { heading: 'RIGHTS', value: rightsOf },
      timeColumn('EXPIRES', ({ expiresAt }) => expiresAt, 'never'),
      timeColumn('LAST USED', ({ lastUsedAt }) => lastUsedAt, 'never'),
      ...(options.all ? [{ heading: 'STATE', value: stateOf }] : []),
    ]);
}

/** Options of a new key. */
export interface CreateKeyOptions extends ListOptions {
  scope?: KeyScope;
  reach?: true;
  approve?: true;
  expires?: string;
}

/** Makes a key and prints it, alone on standard output. */
export async function printNewKey(name: string, options: CreateKeyOptions): Promise<void> {
  const { scope, reach, approve, workspace: workspaceId, expires } = options;
  const expiresAt = expires === undefined ? undefined : expiryOf(expires);
  const client = await connect(options);
  const created = await client.post<CreatedKey>('/api/v1/keys', {
    json: { name, scope, reach, approve, workspaceId, expiresAt },
  });
  if (options.json) {
    sayJson(created);
    return;
  }
  hint(
    `The key "${name}" (${shortId(created.key.id)}) has these rights: ${rightsOf(created.key)}. It is only shown once:`,
  );
  say(created.apiKey);
}

/** Revokes a key for good. */
export async function revokeNamedKey(name: string, options: ListOptions): Promise<void> {
  const client = await connect(options);
  const { id } = await findKey(client, name);
  const answer = await client.delete<KeyAnswer>(`/api/v1/keys/${encodeURIComponent(id)}`);
  if (options.json) sayJson(answer);
  else note(`Revoked: ${withoutControls(answer.key.name)} (${answer.key.prefix}…).`);
}

/** By its id, the beginning of that, or its name. */
async function findKey(client: Client, name: string): Promise<Key> {
  const { keys } = await client.get<KeyList>('/api/v1/keys');
  const active = keys.filter(({ revokedAt }) => revokedAt === null);
  const named = active.filter((key) => key.name === name);
  const found = named.length > 0 || name === '' ? named : active.filter(({ id }) => id.startsWith(name));
  const [key, another] = found;
  if (key === undefined) throw new CommandError(`There is no active key "${name}"; parley keys lists them.`);
  if (another !== undefined) throw new CommandError(`"${name}" names several keys; give the id of one.`);
  return key;
}

function stateOf({ revokedAt, expiresAt }: Key): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active';
}

const rightsOf = ({ scope, reach, approve }: Key): string =>
  scope === 'admin'
    ? 'all'
    : ['chat', ...(reach ? ['reach'] : []), ...(approve ? ['approve'] : [])].join('+');

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `30d`, `12h`, `2w`, or a date; as an ISO time. */
function expiryOf(text: string): string {
  const [, amount, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const time = amount === undefined ? Date.parse(text) : Date.now() + Number(amount) * (UNIT_MS[unit] ?? 0);
  // An invalid date is not later than now either.
  if (!(time > Date.now()))
    throw new CommandError(
      `--expires takes a duration such as 12h, 30d or 8w, or a date in the future, not "${text}".`,
      EXIT.usage,
    );
  return new Date(time).toISOString();
}
