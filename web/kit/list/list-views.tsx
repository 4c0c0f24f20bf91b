/** Saved views of a list, in its toolbar: selecting one applies its filters, for example "Offline in Hamburg". */
import { Button, Menu, Text } from '@mantine/core'
import { IconBookmark, IconSettings, IconStarFilled } from '@tabler/icons-react'
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { getSavedViewList } from '#schema/platform/saved-view'
import { lazy } from '../chunk.ts'
import { Hint } from '../hint.tsx'
import { t } from '../i18n.ts'
import { nameText } from '../known-name.ts'
import { LateMenu } from '../light/late-menu.tsx'
import { useCall } from '../query.ts'
import type { ListChange, ListState } from './list-state.ts'
import { queryOf, stateOf } from './list-view-query.ts'

/** 50 own ones, and those shared by colleagues. */
const VIEWS_SHOWN = 200
const FRESH_MS = 5 * 60_000

const Forms = lazy(() =>
  import('./list-views-drawer.tsx').then(({ ViewsDrawer }) => ({ default: ViewsDrawer })),
)

type Props = {
  /** The name of the list's call. */
  list: string
  state: ListState
  onChange: (change: ListChange) => void
  narrow: boolean
}

export function SavedViews({ list, state, onChange, narrow }: Props) {
  const views = useCall(getSavedViewList, { list, limit: VIEWS_SHOWN }, { staleMs: FRESH_MS })
  const [managing, setManaging] = useState(false)
  const [fetched, setFetched] = useState(false)
  const query = queryOf(state)
  const all = views.data?.list ?? []
  const active = all.find((view) => view.query === query)
  const apply = (wanted: string) => onChange(stateOf(wanted, Object.keys(state.filters)))

  // The default view applies only to a list opened without parameters; a link with filters is shown as it is.
  const opened = useRef(query)
  const begin = useEffectEvent(() => {
    const standard = all.find((view) => view.isDefault)
    if (standard && opened.current === '' && query === '' && state.offset === 1) apply(standard.query)
    opened.current = 'applied'
  })
  const known = views.data !== undefined
  useEffect(() => {
    if (known && opened.current !== 'applied') begin()
  }, [known])

  const manage = () => {
    setFetched(true)
    setManaging(true)
  }
  return (
    <>
      <LateMenu
        tall
        button={(props) => (
          <Hint label={t('list:views.label')}>
            <Button
              {...props}
              variant={active ? 'light' : 'default'}
              px={8}
              fw={400}
              aria-label={active ? t('list:views.active', { name: active.name }) : t('list:views.label')}
            >
              <IconBookmark size={16} stroke={1.5} />
              {active && !narrow ? (
                <Text span truncate size="sm" maw={120} ml={6}>
                  {active.name}
                </Text>
              ) : null}
            </Button>
          </Hint>
        )}
      >
        {all.map((view) => (
          <Menu.Item
            key={view.id}
            fw={view === active ? 600 : 400}
            rightSection={
              view.isDefault ? (
                <IconStarFilled size={12} aria-label={t('list:views.isDefault')} />
              ) : view.mine ? null : (
                <Text size="xs" c="dimmed">
                  {t('list:views.by', { name: nameText(view.owner) })}
                </Text>
              )
            }
            onClick={() => apply(view.query)}
          >
            {view.name}
          </Menu.Item>
        ))}
        {all.length > 0 ? <Menu.Divider /> : null}
        <Menu.Item leftSection={<IconSettings size={16} stroke={1.5} />} onClick={manage}>
          {t('list:views.manage')}
        </Menu.Item>
      </LateMenu>
      <Suspense>
        {fetched ? (
          <Forms
            opened={managing}
            onClose={() => setManaging(false)}
            list={list}
            query={query}
            views={all}
            onApply={apply}
          />
        ) : null}
      </Suspense>
    </>
  )
}
