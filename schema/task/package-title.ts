/** A package in one line. Names often contain the version, for example those that `ops packages upload` proposes. */

/** Whether the name has this version as a word of its own: `R200 1.5.0` and `fw-v1.5.0`, but not `1.5.0-rc1` or `11.5.0`. */
function saysVersion(name: string, version: string): boolean {
  const word = version.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(`(?<![a-z0-9.])v?${word}(?![a-z0-9.+~-])`, 'i').test(name)
}

/** `version`: null or '' for a file without one. */
export const packageTitle = (name: string, version: string | null): string =>
  !version || saysVersion(name, version) ? name : `${name} ${version}`

/** A task that installs a package: the version is added where its name leaves it open. */
export const versionedName = (name: string, version: string | null): string =>
  !version || saysVersion(name, version) ? name : `${name} (${version})`
