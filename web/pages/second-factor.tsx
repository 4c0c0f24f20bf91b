import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload, IconShieldLock } from '@tabler/icons-react'
import { useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { secondFactorScreen } from '#schema/people/account-pages'
import { disableTotp, getTotp, renewRecoveryCodes } from '#schema/people/totp'
import { ActionButton } from '../kit/action-button.tsx'
import { request } from '../kit/api.ts'
import { Card } from '../kit/card.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { Facts } from '../kit/facts.tsx'
import { SecretOnce } from '../kit/form/secret-once.tsx'
import { t } from '../kit/i18n.ts'
import { renewMe } from '../kit/me.ts'
import { Mono } from '../kit/mono.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { useCall } from '../kit/query.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'
import { saveFile } from '../kit/transfer.ts'
import { TotpChange } from '../people/totp-change.tsx'
import { TotpSetup } from '../people/totp-setup.tsx'

export const words: readonly Word[] = ['totp', 'session']

const FEW = 3

function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const save = () =>
    saveFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'recovery-codes.txt')
  return (
    <SecretOnce opened onClose={onClose} title={t('totp:codesTitle')}>
      <Text size="sm">{t('totp:codesText')}</Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={8} verticalSpacing={8}>
        {codes.map((code) => (
          <Mono key={code} value={code} />
        ))}
      </SimpleGrid>
      <Group>
        <Button variant="default" leftSection={<IconDownload size={16} stroke={1.5} />} onClick={save}>
          {t('totp:save')}
        </Button>
      </Group>
    </SecretOnce>
  )
}

export function Page() {
  const state = useCall(getTotp, {})
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [asked, setAsked] = useState<'renew' | 'disable' | null>(null)
  const { on, required, since, recoveryLeft } = state.data ?? {}
  const refresh = async () => {
    await state.refetch()
    await renewMe()
  }
  return (
    <>
      <PageHeader
        title={screenTitle(secondFactorScreen)}
        beside={
          on === undefined ? null : (
            <StatusChip tone={on ? 'online' : 'offline'} label={t(on ? 'totp:on' : 'totp:off')} />
          )
        }
        line={t('totp:intro')}
      />
      <ReadBar read={state} />
      <Stack gap="md" maw={960}>
        {required && on === false ? (
          <Alert color="yellow" icon={<IconShieldLock size={18} stroke={1.5} />}>
            {t('totp:required')}
          </Alert>
        ) : null}
        {on ? (
          <Card>
            <Facts
              facts={[
                { label: t('totp:since'), value: <When at={since} absolute /> },
                { label: t('totp:codesLeft'), value: recoveryLeft },
              ]}
            />
            {(recoveryLeft ?? 0) < FEW ? (
              <Text size="sm" c="var(--warning)" mt="sm">
                {t('totp:fewCodes')}
              </Text>
            ) : null}
            <Group mt="md" gap={8}>
              <ActionButton label={t('totp:renew')} onPress={() => setAsked('renew')} />
              <ActionButton
                label={t('totp:disable')}
                reason={required ? t('totp:requiredHint') : null}
                onPress={() => setAsked('disable')}
              />
            </Group>
          </Card>
        ) : null}
        {on === false ? (
          <Card>
            <TotpSetup onCodes={setCodes} />
          </Card>
        ) : null}
      </Stack>
      {codes ? (
        <Codes
          codes={codes}
          onClose={() => {
            setCodes(null)
            void refresh()
          }}
        />
      ) : null}
      {asked === 'renew' ? (
        <TotpChange
          title={t('totp:renew')}
          text={t('totp:renewText')}
          verb={t('totp:renew')}
          run={async (body) => {
            setCodes((await request(renewRecoveryCodes, body)).codes)
            setAsked(null)
          }}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {asked === 'disable' ? (
        <TotpChange
          danger
          title={t('totp:disable')}
          text={t('totp:disableText')}
          verb={t('totp:disable')}
          run={async (body) => {
            await request(disableTotp, body)
            setAsked(null)
            void toast('success', t('totp:disabled'))
            await refresh()
          }}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </>
  )
}
