/** Tells who may approve that a request waits: a message with a way to it, once for each request. */
import { Anchor } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { getAwaitedAccess } from '#schema/remote/access'
import { remoteAccessScreen } from '#schema/remote/access-pages'
import { UNKNOWN } from '../kit/format.ts'
import { loadWords, t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { goTo } from '../kit/navigation.ts'
import { useCall } from '../kit/query.ts'
import { openToaster } from '../kit/toast.tsx'
import { deviceText } from './device-text.ts'

const REFRESH_S = 20
const SHOWN_MS = 30_000

function AccessNotice() {
  const { data } = useCall(getAwaitedAccess, {}, { refreshS: REFRESH_S })
  const told = useRef(new Set<number>())
  useEffect(() => {
    for (const { accessId, deviceName, deviceSn, createdBy } of data?.list ?? []) {
      if (told.current.has(accessId)) continue
      told.current.add(accessId)
      // The list itself shows it.
      if (location.pathname === remoteAccessScreen.path) continue
      void openToaster().then(({ notifications }) => {
        const id = `access:${accessId}`
        notifications.show({
          id,
          color: 'yellow',
          autoClose: SHOWN_MS,
          closeButtonProps: { 'aria-label': t('kit:close') },
          title: t('access:notice', {
            who: nameText(createdBy) ?? UNKNOWN,
            device: deviceText({ deviceName, deviceSn }),
          }),
          // A button for the keyboard; its click is also the notice's.
          message: (
            <Anchor component="button" type="button" size="sm" fw={600}>
              {t('access:look')}
            </Anchor>
          ),
          style: { cursor: 'pointer' },
          onClick: () => {
            notifications.hide(id)
            goTo(remoteAccessScreen.path)
          },
        })
      })
    }
  }, [data])
  return null
}

/** With its texts, which no page has loaded. */
export async function load() {
  await loadWords(['access'])
  return { default: AccessNotice }
}
