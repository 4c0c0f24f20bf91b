/** Tells who may approve access to devices that a request waits. */
import { getAwaitedAccess } from '#schema/remote/access'
import { remoteAccessScreen } from '#schema/remote/access-pages'
import { UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { useCall } from '../kit/query.ts'
import { useRequestNotices } from '../kit/request-notices.tsx'
import { deviceText } from './device-text.ts'

const REFRESH_S = 20

export function AccessNotice() {
  const { data } = useCall(getAwaitedAccess, {}, { refreshS: REFRESH_S })
  useRequestNotices(
    data?.list.map(({ accessId, deviceName, deviceSn, createdBy }) => ({
      id: `access:${accessId}`,
      title: t('access:notice', {
        who: nameText(createdBy) ?? UNKNOWN,
        device: deviceText({ deviceName, deviceSn }),
      }),
      look: t('access:look'),
      path: remoteAccessScreen.path,
    })),
  )
  return null
}
