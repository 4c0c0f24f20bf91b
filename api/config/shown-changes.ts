/** Differences of two configurations for display: for secrets only the fact that they differ. */
import { keyOf } from '#schema/config/drift'
import type { UciChange } from '#schema/config/uci-change'
import { isSecretOption } from '#schema/config/uci-diff'
import { SECRET_MASK } from '#schema/kit/secret-mask'

const PEM_KEY = /-----BEGIN/

export const shownChanges = (changes: readonly UciChange[]) =>
  changes.map((change) => {
    const { package: of, section, option, kind } = change
    const key = keyOf(change)
    const isSecret = option !== undefined && isSecretOption(of, section.type, option)
    const textOf = (value: string | readonly string[] | undefined) => {
      if (value === undefined) return null
      const text = typeof value === 'string' ? value : value.join(' ')
      return isSecret || PEM_KEY.test(text) ? SECRET_MASK : text
    }
    return { difference: key, place: key, kind, before: textOf(change.before), after: textOf(change.after) }
  })
