#!/bin/sh
# What electron-builder's own script does, except for the sandbox.

if type update-alternatives >/dev/null 2>&1; then
  update-alternatives --install '/usr/bin/${executable}' '${executable}' '/opt/${sanitizedProductName}/${executable}' 100
else
  ln -sf '/opt/${sanitizedProductName}/${executable}' '/usr/bin/${executable}'
fi

# Chromium's sandbox needs user namespaces, or this helper with the set-user-ID bit; with neither it aborts. Tried as
# nobody, since root may always have namespaces, and with a map, since AppArmor allows the namespace but nothing in it.
if setpriv --reuid 65534 --regid 65534 --clear-groups unshare --user --map-root-user true >/dev/null 2>&1; then
  chmod 0755 '/opt/${sanitizedProductName}/chrome-sandbox'
else
  chmod 4755 '/opt/${sanitizedProductName}/chrome-sandbox'
fi

if type update-desktop-database >/dev/null 2>&1; then
  update-desktop-database /usr/share/applications || true
fi

# A profile that lets Parley have user namespaces where AppArmor keeps them from other programs. Older versions can't
# read it, and don't need it.
profile='/opt/${sanitizedProductName}/resources/apparmor-profile'
if apparmor_status --enabled >/dev/null 2>&1 && apparmor_parser --skip-kernel-load "$profile" >/dev/null 2>&1; then
  cp -f "$profile" '/etc/apparmor.d/${executable}'
  if ! { [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; }; then
    apparmor_parser --replace --write-cache --skip-read-cache '/etc/apparmor.d/${executable}' || true
  fi
fi
exit 0
