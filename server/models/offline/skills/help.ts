import type { AssistantContext, OfflineSkill, SkillReply } from '../skill.ts';
import { entriesOf } from '../reading/rules.ts';
import { CONNECT_A_MODEL } from '../wording/refusals.ts';
import { capitalised } from '../wording/formatting.ts';

const HELP =
  /^(?:help(?: me)?|\/help|\?|what (?:can|do|else can) (?:you|i|parley) (?:do|help(?: me)? with|ask(?: you)?|know)(?: for me)?|what are you (?:able to do|good (?:for|at)|for)|how (?:do|can) (?:you help(?: me)?|i use (?:you|this|parley)|you work|this work|i get started)|how does (?:this|it|parley) work|what(?:['’]s| is| are) your (?:skills|features|commands|tools)|(?:show|list|give)(?: me)? (?:all |some |your |the )*(?:skills|features|commands|examples|tools)|examples|commands|get(?:ting)? started|(?:can|could) you help(?: me)?|i need (?:some )?help|(?:help(?: me)? with|what can you do with|how do i) (?:maths?|calculat(?:e|ions?)|units|dates?|times?|texts?|lists?|data|json|csv|tables?|encoding|passwords?|notes|search))$/;
const GREETING =
  /^(?:hi|hello|hey|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day))(?:[ ,]+(?:parley|there|everyone|assistant|again))*$/;
/** Help and greetings, from the skills’ own summaries and examples. */
export const createHelp =
  (skills: readonly OfflineSkill[]): SkillReply =>
  ({ text, history }, chat) => {
    if (text.length > 80) return null;
    const plain = text.toLowerCase().replace(/(?<![\s?.!,])[\s?.!,]+$/, '') || text;
    const bare = plain.replace(/^(?:please|ok|okay|so|hi|hello|hey)[,!]?\s+(?=\S{2})/, '');
    if (HELP.test(bare)) return formatHelp(skills, chat);
    if (!GREETING.test(plain)) return null;
    return history.length > 0 ? 'Hello! What can I do for you?' : formatGreeting(skills);
  };

const TABLE = '```\nwhich shop has the highest sales?\n\nshop,sales\nRome,1200\nOslo,950\n```';

function formatHelp(skills: readonly OfflineSkill[], chat: AssistantContext): string {
  const lines = skills.map((skill) => `- ${headed(skill.summary)}${examplesOf(skill, 2)}`);
  const mode = chat.hasTools
    ? ''
    : '\n\nIn chat mode I use no tools, so most of this works in agent mode only.';
  return `Here is what I can do, all on this computer and with no network:\n\n${lines.join('\n')}\n\nA table to try:\n\n${TABLE}\n\nSeveral asks in one message are fine, and so are follow-ups such as “and in feet?”.${mode} ${CONNECT_A_MODEL}`;
}

function formatGreeting(skills: readonly OfflineSkill[]): string {
  const examples = skills.flatMap((skill) => entriesOf(skill.examples).slice(0, 1)).slice(0, 5);
  return `Hello! I’m Parley’s offline assistant. You could try:\n\n${examples.map((example) => `- ${example}`).join('\n')}\n\nAsk “what can you do?” for the whole list.`;
}

function examplesOf(skill: OfflineSkill, count: number): string {
  const examples = entriesOf(skill.examples)
    .filter((example) => !example.includes('\n'))
    .slice(0, count);
  return examples.length === 0 ? '' : `: ${examples.map((example) => `“${example}”`).join(', ')}`;
}

/** A summary with its first part in bold: "convert units: length, weight". */
function headed(summary: string): string {
  const [head = '', ...rest] = summary.split(': ');
  const start = `**${capitalised(head)}**`;
  return rest.length === 0 ? start : `${start} (${rest.join(': ')})`;
}
