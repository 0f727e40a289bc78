/** The script for a chat without its own: four parts that show what a reply can contain, and that a tool can ask first. */
export const SAMPLE_SCRIPT = `::speed 60
::think
The person would like to see how replies look. I'll begin with text, a list and a table, and keep it short.
::end
# A rehearsal

Nothing here is made up on the spot: I play **a script**, the same way each time, whatever you write. That makes me good
for *demos*, for screenshots, and for trying out programs that talk to Parley.

::pause 600ms
In four messages you will see

1. text, lists and a table – this one,
2. a tool at work, and some code,
3. a question that only you can answer,
4. how to write a script of your own.

| A reply can be | Chat       | Reply        |
| -------------- | ---------- | ------------ |
| made           | \`idle\`     | \`complete\`   |
| stopped        | \`stopped\`  | \`complete\`   |
| impossible     | \`failed\`   | \`error\`      |

::pause 400ms
Send me anything to go on.
::usage 48 180
---
::speed 60
::think
Now the tools. A square root can be worked out exactly, so that is what I'll ask for.
::end
Let me work something out.
::pause 400ms
::tool calculate {"expression":"sqrt(2) * 1000"}
That came from a real tool: open the step above to see what it was given and what it returned. The same in code:

~~~ts
const diagonal = (side: number): number => Math.sqrt(2) * side;

console.log(diagonal(1000).toFixed(3));
~~~

> One line, three decimals.

Send me anything to go on.
::usage 260 120
---
::speed 60
Some tools change things, or send something away. They ask before they do, and wait.
::pause 400ms
::approve Paint the fence green? Nothing comes of it, whatever you answer.
You answered, and I went on. What that answer was stands in the step above; a no is told to the model as a failure in words.

One more message, and the script is over.
::usage 330 70
---
::speed 60
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
