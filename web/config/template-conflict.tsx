import type { EditConflict } from '#schema/kit/edition'
import { useOwnGroupOptions } from '../device/device-options.ts'
import { ConflictNote } from '../kit/form/conflict-note.tsx'
import { number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { fieldLabel, PageField } from './page-field.tsx'
import { type Difference, differencesOf, type Settings } from './template-sides.ts'

type Props = {
  who: EditConflict
  base: Settings
  theirs: Settings
  mine: Settings
  /** The customer whose groups are named. */
  owner: number | undefined
  onMine: () => void
  onTheirs: () => void
}

/** Above a template that another user has saved meanwhile: what differs, and whose values to continue with. */
export function TemplateConflict({ who, base, theirs, mine, owner, onMine, onTheirs }: Props) {
  const groups = useOwnGroupOptions(owner)
  const textOf = (setting: Extract<Difference, { setting: string }>['setting'], of: Settings): string => {
    if (setting === 'everywhere') return t(of.everywhere ? 'form:conflict.on' : 'form:conflict.off')
    if (setting === 'place') return number(of.place)
    if (setting === 'name' || setting === 'remark') return of[setting] || UNKNOWN
    const names =
      setting === 'devices'
        ? of.devices.map(({ sn }) => sn)
        : of.groupIds.map((id) => groups.find(({ value }) => value === String(id))?.label ?? `#${id}`)
    return names.join(t('kit:comma')) || UNKNOWN
  }
  const shown = (one: Difference) => {
    if ('setting' in one)
      return {
        name: one.setting,
        label: t(`config-template:field.${one.setting === 'devices' ? 'deviceIds' : one.setting}`),
        theirs: textOf(one.setting, theirs),
        mine: one.isMine ? textOf(one.setting, mine) : null,
      }
    const side = (own: typeof one.theirs, other: typeof one.theirs) =>
      own ? (
        <PageField page={one.page} field={one.field} value={own.value} beside={other?.value} />
      ) : (
        t('config-many:leftOut')
      )
    return {
      name: `${one.page} ${one.field}`,
      label: fieldLabel(one.page, one.field),
      theirs: side(one.theirs, one.mine),
      mine: one.isMine ? side(one.mine, one.theirs) : null,
    }
  }
  return (
    <ConflictNote
      who={who}
      differences={differencesOf(base, theirs, mine).map(shown)}
      onMine={onMine}
      onTheirs={onTheirs}
    />
  )
}
