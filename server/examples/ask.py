"""Asks Parley and prints the answer: python3 ask.py "What is 12.5% of 1840?" """
import json, os, sys, urllib.error, urllib.request
from pathlib import Path

usual = {
    "win32": Path(os.environ.get("APPDATA", "")) / "Parley",
    "darwin": Path.home() / "Library/Application Support/Parley",
}.get(sys.platform, Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "parley")
found = Path(os.environ.get("PARLEY_DATA_DIR") or usual) / "connection.json"  # there while Parley runs
parley = json.loads(found.read_text("utf-8"))

def api(path, body=None):
    headers = {"Authorization": "Bearer " + parley["apiKey"], "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(parley["baseUrl"] + "/api/v1" + path, data, headers)) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        sys.exit(json.load(refusal)["error"]["message"])

chat = api("/chats", {})
chat = api(f"/chats/{chat['id']}/messages?wait=60", {"content": sys.argv[1]})["chat"]
while chat["status"] not in ("idle", "failed", "stopped"):
    chat = api(f"/chats/{chat['id']}?wait=60")["chat"]
reply = api(f"/chats/{chat['id']}/messages")["messages"][-1]
print(reply.get("error", {}).get("message") or reply["content"])
sys.exit(chat["status"] != "idle")
