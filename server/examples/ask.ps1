# Asks Parley and prints the answer: ./ask.ps1 "What is 12.5% of 1840?"     Windows PowerShell 5.1, or PowerShell 7.
param([Parameter(Mandatory)][string]$Question)
$ErrorActionPreference = 'Stop'

$folder = if ($env:PARLEY_DATA_DIR) { $env:PARLEY_DATA_DIR }
elseif ($env:APPDATA) { "$env:APPDATA/Parley" }
elseif ($IsMacOS) { "$HOME/Library/Application Support/Parley" }
elseif ($env:XDG_DATA_HOME) { "$env:XDG_DATA_HOME/parley" }
else { "$HOME/.local/share/parley" }
$parley = Get-Content "$folder/connection.json" -Raw -Encoding UTF8 | ConvertFrom-Json # there while Parley runs

function Invoke-Parley([string]$Path, $Body) {
  $request = @{ Uri = "$($parley.baseUrl)/api/v1$Path"; Headers = @{ Authorization = "Bearer $($parley.apiKey)" } }
  if ($null -ne $Body) {
    $json = [Text.Encoding]::UTF8.GetBytes((ConvertTo-Json $Body))
    $request += @{ Method = 'Post'; ContentType = 'application/json; charset=utf-8'; Body = $json }
  }
  Invoke-RestMethod @request
}

$chat = Invoke-Parley '/chats' @{}
$chat = (Invoke-Parley "/chats/$($chat.id)/messages?wait=60" @{ content = $Question }).chat
while ($chat.status -notin 'idle', 'failed', 'stopped') {
  $chat = (Invoke-Parley "/chats/$($chat.id)?wait=60").chat
}
$reply = (Invoke-Parley "/chats/$($chat.id)/messages").messages[-1]
if ($reply.error) { throw $reply.error.message }
$reply.content
