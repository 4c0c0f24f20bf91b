import { NavLink, Select } from '@mantine/core'
import { pageGroups } from '#schema/config/config-page'
import type { getDeviceConfig } from '#schema/config/device-config'
import type { ReplyOf } from '#schema/kit/call'
import { t } from '../kit/i18n.ts'
import classes from './config.module.css'
import { type DeclaredPage, pages, pageTitle } from './config-pages.ts'
import { refusedEdit } from './refused-edit.ts'

export type Config = ReplyOf<typeof getDeviceConfig>
type Props = { config: Config; current: string; open: (page: string) => void }

/** What is to know of a page before it is opened: edited fields, or why it is not offered. */
function noteOf(page: DeclaredPage, config: Config): string | undefined {
  const known = config.pages.find(({ name }) => name === page.name)
  if (!known) return undefined
  if (refusedEdit(config, page.name)) return t('config:note.refused')
  if (known.changed.length > 0) return t('config:note.edited', { count: known.changed.length })
  return known.offer === 'yes' ? undefined : t(`config:offer.${known.offer}`)
}

/** It can be opened, to read why it has no effect here. */
const lacks = (page: DeclaredPage, config: Config) => {
  const offer = config.pages.find(({ name }) => name === page.name)?.offer
  return offer === 'lacking' || offer === 'oldVersion'
}

/** The pages by group; a list to choose from where there is no room. */
export function ConfigNav({ config, current, open }: Props) {
  const groups = pageGroups
    .map((group) => ({ group, own: pages.filter((page) => page.group === group) }))
    .filter(({ own }) => own.length > 0)
  return (
    <>
      <Select
        className={classes['select']}
        label={t('config:page')}
        data={groups.map(({ group, own }) => ({
          group: t(`config:group.${group}`),
          items: own.map((page) => ({
            value: page.name,
            label: [pageTitle(page), noteOf(page, config)].filter(Boolean).join(' · '),
          })),
        }))}
        value={current}
        allowDeselect={false}
        onChange={(next) => next && open(next)}
      />
      <nav className={classes['nav']} aria-label={t('config:page')}>
        {groups.map(({ group, own }) => (
          <div key={group}>
            <div className={classes['group']}>{t(`config:group.${group}`)}</div>
            {own.map((page) => (
              <NavLink
                key={page.name}
                component="button"
                label={pageTitle(page)}
                description={noteOf(page, config)}
                data-lacking={lacks(page, config) || undefined}
                active={page.name === current}
                leftSection={<page.Icon size={18} stroke={1.5} />}
                onClick={() => open(page.name)}
              />
            ))}
          </div>
        ))}
      </nav>
    </>
  )
}
