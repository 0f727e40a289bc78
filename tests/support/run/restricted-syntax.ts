/** The one rule that oxlint lacks, as a plugin: reports what matches a selector of ESLint's. */
import type { Rule } from 'eslint';

/** What isn't wanted, and what to do instead. */
export interface Restriction {
  selector: string;
  message: string;
}

const restricted: Rule.RuleModule = {
  meta: { schema: false },
  create: (context) =>
    Object.fromEntries(
      (context.options as Restriction[]).map(({ selector, message }) => [
        selector,
        (node: Rule.Node) => {
          context.report({ node, message });
        },
      ]),
    ),
};

export default { meta: { name: 'syntax' }, rules: { restricted } };
