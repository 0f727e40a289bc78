/**
 * Ready-to-paste programs that create a chat, send a message, wait for the reply and read it. They need only what is usually
 * installed: a shell with curl, Node or a browser, Python's standard library.
 */
export const SNIPPET_LANGUAGES = ['curl', 'javascript', 'python'] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

/** Placeholder in a snippet while no key is shown. */
export const KEY_PLACEHOLDER = 'parley_YOUR_KEY';

/** A snippet for the service at that address (without a slash at its end). */
export function snippet(language: SnippetLanguage, baseUrl: string, apiKey: string): string {
  return SNIPPETS[language].replaceAll('%URL%', baseUrl).replaceAll('%KEY%', apiKey);
}

const CURL = `PARLEY_URL='%URL%/api/v1'
PARLEY_KEY='%KEY%'

# Create a chat
CHAT=$(curl -s -X POST "$PARLEY_URL/chats" -H "Authorization: Bearer $PARLEY_KEY" |
  grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4)

# Send a message, and wait up to a minute for the reply
curl -s -o /dev/null -X POST "$PARLEY_URL/chats/$CHAT/messages?wait=60" \\
  -H "Authorization: Bearer $PARLEY_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"content": "What is 12.5% of 1840?"}'

# Read the conversation
curl -s "$PARLEY_URL/chats/$CHAT/messages" -H "Authorization: Bearer $PARLEY_KEY"
`;

const JAVASCRIPT = `const url = '%URL%/api/v1';
const headers = { Authorization: 'Bearer %KEY%', 'Content-Type': 'application/json' };

async function call(method, path, body) {
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer;
}

// Create a chat, send a message, and wait up to a minute for the reply
const { id } = await call('POST', '/chats', {});
await call('POST', \`/chats/\${id}/messages?wait=60\`, { content: 'What is 12.5% of 1840?' });

// Read the conversation
const { messages } = await call('GET', \`/chats/\${id}/messages\`);
console.log(messages.at(-1).content);
`;

const PYTHON = `import json
import urllib.request

URL = "%URL%/api/v1"
KEY = "%KEY%"


def call(method, path, body=None):
    request = urllib.request.Request(URL + path, method=method)
    request.add_header("Authorization", "Bearer " + KEY)
    data = None
    if body is not None:
        request.add_header("Content-Type", "application/json")
        data = json.dumps(body).encode()
    with urllib.request.urlopen(request, data) as response:
        return json.load(response)


# Create a chat, send a message, and wait up to a minute for the reply
path = "/chats/" + call("POST", "/chats", {})["id"]
call("POST", path + "/messages?wait=60", {"content": "What is 12.5% of 1840?"})

# Read the conversation
print(call("GET", path + "/messages")["messages"][-1]["content"])
`;

const SNIPPETS: Readonly<Record<SnippetLanguage, string>> = {
  curl: CURL,
  javascript: JAVASCRIPT,
  python: PYTHON,
};
