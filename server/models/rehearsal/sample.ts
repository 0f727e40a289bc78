import { READY_SCRIPTS } from './ready.ts';

const BEGINNING = `::speed 60
::think
The person would like to see how replies look. I'll say what this is, and begin with text, a list and a table.
::end
# A rehearsal

Nothing here is made up on the spot: I play **a script**, the same way each time, whatever you write. In four messages you
will see text like this, tools at work, a question that only you can answer, and how to write a script of your own. Send me
anything to go on.

::pause 600ms
`;

const END = `::speed 60
To play **your own script**, begin a chat with a message that holds it:

~~~~md
\`\`\`rehearsal
\\::speed 20
\\::think
Somebody wants to see a failure.
\\::end
It went well at first.
\\::pause 1s
\\::fail And then the coffee ran out.
\\---
The second message is answered with this.
\`\`\`
~~~~

::pause 400ms
After the last part I begin again with the first.
::usage 410 90
`;

const { formatting, tools, approval } = READY_SCRIPTS;

/** The script for a chat without its own: it shows what a reply can contain, and how to write a script. */
export const SAMPLE_SCRIPT = [BEGINNING + formatting.script, tools.script, approval.script, END].join(
  '---\n',
);
