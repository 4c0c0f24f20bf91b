import { Skeleton } from '@mantine/core'
import { useQueryState } from 'nuqs'
import { getDeviceConfig } from '#schema/config/device-config'
import type { Device } from '../device/device-actions.tsx'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { loadWords, t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import classes from './config.module.css'
import { ConfigBar } from './config-bar.tsx'
import { ConfigForm } from './config-form.tsx'
import { ConfigNav } from './config-nav.tsx'
import { pageNamed, pages, pageWords } from './config-pages.ts'
import { LiveSection } from './live-section.tsx'
import { refusedEdit } from './refused-edit.ts'

// Before the first page is drawn; this module is loaded when the tab is opened.
await loadWords([...pageWords, 'config'])

const REFRESH_S = 4

/** Of a device that has no page at all: from which firmware on it would have some. */
function unsupportedText(known: readonly { since: string | null }[]): string {
  const firmware = known.find(({ since }) => since !== null)?.since
  return firmware ? t('config:unsupported.since', { firmware }) : t('config:unsupported.text')
}

/** The configuration of a device: its pages, what is edited, on trial, refused or different. */
export default function ConfigTab({ device }: { device: Device }) {
  const { deviceId } = device
  const read = useCall(getDeviceConfig, { deviceId }, { refreshS: REFRESH_S })
  const [name, open] = useQueryState('page')
  const config = read.data
  // As tall as what is shown while this module loads: the cards below would move up and down again.
  if (!config)
    return (
      <>
        <ReadBar read={read} />
        {read.error ? null : <Skeleton h={420} />}
      </>
    )
  if (config.state === 'unsupported')
    return <Empty title={t('config:unsupported.title')} text={unsupportedText(config.pages)} />
  const page = pageNamed(name ?? '') ?? pages[0]
  const known = config.pages.find((one) => one.name === page?.name)
  const refused = page ? refusedEdit(config, page.name) : null
  const lack = known === undefined || known.offer === 'yes' ? 'unread' : known.offer
  return (
    <>
      <ConfigBar device={device} config={config} />
      <div className={classes['tab']}>
        <ConfigNav config={config} current={page?.name ?? ''} open={(next) => void open(next)} />
        {page && known?.offer === 'yes' ? (
          <div className={classes['page']}>
            {page.live ? <LiveSection device={device} section={page.live} /> : null}
            <ConfigForm
              key={page.name}
              deviceId={deviceId}
              page={page}
              version={`${known.changedAt} ${config.runningHash}`}
              refused={refused?.path ? { path: refused.path, reason: refused.reason } : null}
            />
          </div>
        ) : (
          <Empty
            title={t(`config:offer.${lack}`)}
            text={known?.since ? t('config:since', { firmware: known.since }) : t(`config:offerText.${lack}`)}
          />
        )}
      </div>
    </>
  )
}
