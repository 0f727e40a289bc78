#!/bin/sh
# What electron-builder's own script does; and when Parley isn't just being updated, nobody's login starts it any more.

if type update-alternatives >/dev/null 2>&1; then
  update-alternatives --remove '${executable}' '/opt/${sanitizedProductName}/${executable}'
else
  rm -f '/usr/bin/${executable}'
fi

if [ -f '/etc/apparmor.d/${executable}' ]; then
  if apparmor_status --enabled >/dev/null 2>&1 && ! { [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; }; then
    apparmor_parser --remove '/etc/apparmor.d/${executable}' || true
  fi
  rm -f '/etc/apparmor.d/${executable}'
fi

case "$1" in
  remove | purge)
    getent passwd | while IFS=: read -r user _ _ _ _ home _; do
      entry="$home/.config/autostart/parley.desktop"
      # As the person whose folder it is; an AppImage's entry names another program.
      if [ -f "$entry" ] && grep -qF '"/opt/${sanitizedProductName}/${executable}"' "$entry"; then
        setpriv --reuid "$user" --clear-groups --regid "$(id -g "$user")" rm -f "$entry" || true
      fi
    done
    ;;
esac
exit 0
