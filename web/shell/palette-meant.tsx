/** What a sentence in the palette applies to, shown before anything is opened: how many, which, and where it leads. */
import { IconArrowRight, IconListSearch } from '@tabler/icons-react'
import { useMemo } from 'react'
import { getDeviceFacets } from '#schema/device/device'
import { getGroupTree } from '#schema/group/group'
import type { BodyOf } from '#schema/kit/call'
import { number } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import { screenTitle } from '../kit/page/screen-title.ts'
import { useCall } from '../kit/query.ts'
import { mayCall } from '../kit/session.ts'
import { permittedActions } from './palette-actions.ts'
import { called, type DeclaredList, type Sentence, singular, understand } from './palette-grammar.ts'
import { commandNamed, listOf, vocabularyOf } from './palette-vocabulary.ts'

const STALE_MS = 30_000
const ROWS_SHOWN = 3
const GROUPS_SHOWN = 2

type Filter = Readonly<Record<string, string>>
/** One reading of the name in a sentence: of a group, of a model, or a text to search for. */
type Reading = { key: string; name: string; filter: Filter }

/** Groups and models are read only for lists that are filtered by them. */
function useReadings(sentence: Sentence | null, list: DeclaredList | undefined): readonly Reading[] {
  const about = sentence?.about ?? ''
  const asks = (filter: string, call: typeof getGroupTree | typeof getDeviceFacets) =>
    about !== '' && list !== undefined && filter in list.filters && mayCall(call)
  const groups = useCall(getGroupTree, {}, { enabled: asks('groupId', getGroupTree), staleMs: STALE_MS })
  const facets = useCall(getDeviceFacets, {}, { enabled: asks('model', getDeviceFacets), staleMs: STALE_MS })
  if (!sentence || !list) return []
  const base = sentence.filters
  if (about === '') return [{ key: 'all', name: '', filter: base }]
  const inGroups = asks('groupId', getGroupTree)
    ? called(groups.data?.list ?? [], about, ({ groupName }) => groupName).slice(0, GROUPS_SHOWN)
    : []
  const ofModel = asks('model', getDeviceFacets)
    ? called(facets.data?.models ?? [], about, ({ value }) => value).slice(0, 1)
    : []
  return [
    ...ofModel.map(({ value }) => ({
      key: `model-${value}`,
      name: t('palette:meant.model', { name: value }),
      filter: { ...base, model: value },
    })),
    ...inGroups.map(({ gid, groupName }) => ({
      key: `group-${gid}`,
      name: t('palette:meant.group', { name: groupName }),
      filter: { ...base, groupId: String(gid) },
    })),
    ...(list.call.searches.length > 0
      ? [
          {
            key: 'search',
            name: t('palette:meant.search', { text: about }),
            filter: { ...base, search: singular(about) },
          },
        ]
      : []),
  ]
}

/** The first rows, by their name, else by the first field that the search looks into. */
function namesOf({ call: { searches } }: DeclaredList, rows: readonly unknown[]): string {
  const field = searches.find((name) => /name$/i.test(name)) ?? searches[0] ?? ''
  return rows
    .map((row) => (row as Record<string, unknown>)[field])
    .filter((name) => typeof name === 'string' && name !== '')
    .join(t('kit:comma'))
}

function usePreview(list: DeclaredList | undefined, reading: Reading | undefined) {
  const shown = list !== undefined && reading !== undefined
  // Any list: only asked when there is one.
  const call = list?.call ?? (getDeviceFacets as unknown as DeclaredList['call'])
  const body = { ...reading?.filter, limit: ROWS_SHOWN } as BodyOf<typeof call>
  const found = useCall(call, body, { enabled: shown }).data as
    | { total: number; list: readonly unknown[] }
    | undefined
  if (!shown || !found?.total) return null
  const names = namesOf(list, found.list)
  const more = found.total - found.list.length
  const count = t('palette:meant.count', { count: found.total, number: number(found.total) })
  return {
    reading,
    preview: names
      ? t('kit:labelled', {
          label: count,
          text: more > 0 ? t('palette:meant.more', { names, count: number(more) }) : names,
        })
      : count,
  }
}

/** An existing form, confirmation or list, with the devices or rows of this reading. */
function addressOf({ verb }: Sentence, { path }: DeclaredList, filter: Filter, pages: readonly string[]) {
  if (verb === undefined) return `${path}?${new URLSearchParams(filter)}`
  if (commandNamed(verb)) return `${path}?${new URLSearchParams({ ...filter, new: verb })}`
  const action = permittedActions(pages).find(({ key }) => key === verb)
  const { groupId, ...rest } = filter
  const chosen = { ...rest, ...(groupId ? { groupId: Number(groupId) } : {}) }
  return action ? `${action.address}&${new URLSearchParams({ filter: JSON.stringify(chosen) })}` : null
}

/** @param pages paths of the user's menu */
export function useMeant(typed: string, pages: readonly string[]) {
  const vocabulary = useMemo(() => vocabularyOf(pages), [pages])
  const sentence = useMemo(() => understand(typed, vocabulary), [typed, vocabulary])
  const list = sentence ? listOf(sentence.screen) : undefined
  const [first, second, third, fourth] = useReadings(sentence, list)
  const previews = [
    usePreview(list, first),
    usePreview(list, second),
    usePreview(list, third),
    usePreview(list, fourth),
  ]
  if (!sentence || !list) return []
  const choices = vocabulary.nouns.find(({ screen }) => screen === sentence.screen)?.choices ?? []
  const narrowed = choices
    .filter(({ filter, value }) => sentence.filters[filter] === value)
    .map(({ words }) => words[0] ?? '')
  const title =
    sentence.verb === undefined
      ? screenTitle({ name: sentence.screen })
      : tOr(`command:name.${sentence.verb}`, t(`palette:action.${sentence.verb as 'upgrade'}`))
  return previews.flatMap((found) => {
    const address = found && addressOf(sentence, list, found.reading.filter, pages)
    if (!address) return []
    const Shape = sentence.verb === undefined ? IconListSearch : IconArrowRight
    return [
      {
        id: `meant-${found.reading.key}`,
        label: [title, ...narrowed, found.reading.name].filter(Boolean).join(' · '),
        description: found.preview,
        leftSection: <Shape size={18} stroke={1.5} />,
        address,
      },
    ]
  })
}
