import { useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import { createApiToken, getApiTokenList } from '#schema/people/token'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import { CopyField, SecretOnce } from '../kit/form/secret-once.tsx'
import { t } from '../kit/i18n.ts'
import type { Option } from '../kit/list/list-types.ts'
import { me } from '../kit/me.ts'

type Made = ReplyOf<typeof createApiToken>

/** A token cannot have more permissions than its owner. */
export const functionOptions = (): readonly Option[] =>
  me().functions.map(({ functionId, functionName }) => ({ value: String(functionId), label: functionName }))

const tryIt = (token: string) =>
  [
    `curl -s ${location.origin}/api/user/getUserDetails \\`,
    `  -H token:${token}`,
    '',
    `IOT_URL=${location.origin} IOT_TOKEN='${token}' npm run --silent ops -- devices list`,
  ].join('\n')

export function TokenCreate({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [made, setMade] = useState<Made | null>(null)
  return (
    <>
      <FormDrawer
        opened={opened}
        onClose={onClose}
        title={t('token:create')}
        verb={t('token:create')}
        call={createApiToken}
        refreshes={[getApiTokenList]}
        onDone={setMade}
        initial={{ expiresInDays: 90 }}
        fields={[
          { name: 'name', required: true },
          {
            name: 'expiresInDays',
            hint: 'token:daysHint',
            required: true,
          },
          {
            name: 'functionIds',
            hint: 'token:functionsHint',
            useOptions: functionOptions,
          },
        ]}
      />
      <SecretOnce opened={made !== null} onClose={() => setMade(null)} title={t('token:created')}>
        <CopyField label={t('token:token')} value={made?.token ?? ''} />
        <CopyField block label={t('token:tryIt')} value={made ? tryIt(made.token) : ''} />
      </SecretOnce>
    </>
  )
}
