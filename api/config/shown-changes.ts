/** Differences of two configurations for display: for secrets only the fact that they differ. */
import { driftOf } from '#schema/config/drift'
import type { UciDoc } from '#schema/config/uci'
import { isSecretOption } from '#schema/config/uci-diff'
import { SECRET_MASK } from '#schema/kit/secret-mask'

const PEM_KEY = /-----BEGIN/

export function shownChanges(before: UciDoc, after: UciDoc, ignored: ReadonlySet<string> = new Set()) {
  return driftOf(before, after, ignored).map((change) => {
    const { package: of, section, option, kind, key } = change
    const isSecret = option !== undefined && isSecretOption(of, section.type, option)
    const textOf = (value: string | readonly string[] | undefined) => {
      if (value === undefined) return null
      const text = typeof value === 'string' ? value : value.join(' ')
      return isSecret || PEM_KEY.test(text) ? SECRET_MASK : text
    }
    return { difference: key, place: key, kind, before: textOf(change.before), after: textOf(change.after) }
  })
}
