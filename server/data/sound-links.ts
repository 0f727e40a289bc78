import type { ExportedMessage } from '../../shared/api/data.ts';

/** The links of a message to others of its chat. */
export interface Links {
  versionOf: string | null;
  retryOf: string | null;
  hiddenBy: string | null;
}

const NONE: Links = { versionOf: null, retryOf: null, hiddenBy: null };

/**
 * The links of a chat's messages as version-repository.ts relies on them: of the versions of a message exactly one is
 * chosen; the others hide themselves and their branch; and going from what hides a message to the version chosen instead,
 * and from there to what hides that, one comes to a listed message. If they aren't like that, no message has any.
 */
export function soundLinks(messages: readonly ExportedMessage[]): (message: ExportedMessage) => Links {
  const groups = new Map<string, ExportedMessage[]>();
  for (const message of messages) {
    if (message.versionOf === undefined || message.role !== 'user') continue;
    const group = groups.get(message.versionOf);
    if (group === undefined) groups.set(message.versionOf, [message]);
    else group.push(message);
  }
  const versions = new Map<string, { group: string; chosen: ExportedMessage; retryOf: string | null }>();
  for (const group of groups.values()) {
    const chosen = group.filter(({ id, hiddenBy }) => hiddenBy !== id);
    const [first] = group;
    const [only] = chosen;
    if (first === undefined || only === undefined || chosen.length > 1) return () => NONE;
    // A group goes by its first version that is left, and so do retries: the one they were named after may have been deleted.
    const asked = new Map<string, string>();
    for (const message of group) {
      const question = questionOf(message);
      const retryOf = asked.get(question) ?? null;
      if (retryOf === null) asked.set(question, message.id);
      versions.set(message.id, { group: first.id, chosen: only, retryOf });
    }
  }
  const shown = new Set<string>();
  if (!messages.every((message) => canBeShown(message, versions, shown))) return () => NONE;
  return (message) => ({
    versionOf: message.role === 'user' ? (versions.get(message.id)?.group ?? null) : null,
    retryOf: message.role === 'user' ? (versions.get(message.id)?.retryOf ?? null) : null,
    hiddenBy: message.hiddenBy ?? null,
  });
}

/** What is the same for all versions that ask the same. Files of earlier versions don't say which those are; the text does. */
const questionOf = ({ id, content, retryOf }: ExportedMessage): string =>
  retryOf === undefined ? content : (retryOf ?? id);

/** `shown` are the versions that are known to lead to a listed message; it grows. */
function canBeShown(
  message: ExportedMessage,
  versions: ReadonlyMap<string, { chosen: ExportedMessage }>,
  shown: Set<string>,
): boolean {
  const passed = new Set<string>();
  let wanted = message.hiddenBy;
  while (wanted !== undefined && !shown.has(wanted)) {
    const version = versions.get(wanted);
    // A version that is chosen hides nothing; one that comes up again leads round in a circle.
    if (version === undefined || version.chosen.id === wanted || passed.has(wanted)) return false;
    passed.add(wanted);
    wanted = version.chosen.hiddenBy;
  }
  for (const id of passed) shown.add(id);
  return true;
}
