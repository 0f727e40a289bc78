#!/bin/sh
# Asks Parley and prints the answer: ./ask.sh "What is 12.5% of 1840?"     Needs curl and jq.
set -eu

case $(uname) in
  Darwin) FOLDER="$HOME/Library/Application Support/Parley" ;;
  *) FOLDER="${XDG_DATA_HOME:-$HOME/.local/share}/parley" ;;
esac
FOUND=${PARLEY_DATA_DIR:-$FOLDER}/connection.json # there while Parley runs
URL=$(jq -r .baseUrl "$FOUND")/api/v1
KEY=$(jq -r .apiKey "$FOUND")
api() {
  BODY=$(curl -sS --fail-with-body -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@") ||
    { printf '%s\n' "$BODY" | jq -r .error.message >&2 && return 1; }
  printf '%s\n' "$BODY"
}

CHAT=$(api -X POST "$URL/chats" | jq -r .id)
SENT=$(jq -n --arg content "$1" '{$content}' | api "$URL/chats/$CHAT/messages?wait=60" -d @-)
STATUS=$(printf '%s\n' "$SENT" | jq -r .chat.status)
until [ $STATUS = idle ] || [ $STATUS = failed ] || [ $STATUS = stopped ]; do
  STATUS=$(api "$URL/chats/$CHAT?wait=60" | jq -r .chat.status)
done
api "$URL/chats/$CHAT/messages" | jq -r '.messages[-1] | .error.message // .content'
[ $STATUS = idle ]
