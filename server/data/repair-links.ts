import type { ExportedMessage } from '../../shared/api/data.ts';
import type { MessagePosition } from '../store/version-repository.ts';

/** The links of a message to others of its chat. */
export type Links = Pick<MessagePosition, 'versionOf' | 'retryOf' | 'hiddenBy'>;

/**
 * The links of a chat's messages as version-repository.ts relies on them: of the versions of a message exactly one is
 * chosen; the others hide themselves and their branch; and going from what hides a message to the version chosen instead,
 * and from there to what hides that, leads to a listed message. Null: they don't fit together.
 */
export function repairLinks(
  messages: readonly ExportedMessage[],
): ((message: ExportedMessage) => Links) | null {
  const versioned = messages.filter(({ versionOf, role }) => versionOf !== undefined && role === 'user');
  const groups = Map.groupBy(versioned, ({ versionOf }) => versionOf);
  const versions = new Map<string, { group: string; chosen: ExportedMessage; retryOf: string | null }>();
  for (const group of groups.values()) {
    const chosen = group.filter(({ id, hiddenBy }) => hiddenBy !== id);
    const [first] = group;
    const [only] = chosen;
    if (first === undefined || only === undefined || chosen.length > 1) return null;
    // A group, and likewise retries, is named by its first remaining version: the original one may have been deleted.
    const asked = new Map<string, string>();
    for (const message of group) {
      const question = questionOf(message);
      const retryOf = asked.get(question) ?? null;
      if (retryOf === null) asked.set(question, message.id);
      versions.set(message.id, { group: first.id, chosen: only, retryOf });
    }
  }
  const shown = new Set<string>();
  if (!messages.every((message) => canBeShown(message, versions, shown))) return null;
  return (message) => ({
    versionOf: message.role === 'user' ? (versions.get(message.id)?.group ?? null) : null,
    retryOf: message.role === 'user' ? (versions.get(message.id)?.retryOf ?? null) : null,
    hiddenBy: message.hiddenBy ?? null,
  });
}

/** The same for all versions with the same question. Older files don't say which those are, so the text decides. */
const questionOf = ({ id, content, retryOf }: ExportedMessage): string =>
  retryOf === undefined ? content : (retryOf ?? id);

/** `shown`: the versions known to lead to a listed message; this adds to it. */
function canBeShown(
  message: ExportedMessage,
  versions: ReadonlyMap<string, { chosen: ExportedMessage }>,
  shown: Set<string>,
): boolean {
  const passed = new Set<string>();
  let wanted = message.hiddenBy;
  while (wanted !== undefined && !shown.has(wanted)) {
    const version = versions.get(wanted);
    // A chosen version hides nothing; meeting one again means a cycle.
    if (version === undefined || version.chosen.id === wanted || passed.has(wanted)) return false;
    passed.add(wanted);
    wanted = version.chosen.hiddenBy;
  }
  for (const id of passed) shown.add(id);
  return true;
}
