import { Code, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import {
  createSigningKey,
  deleteSigningKey,
  getSigningKeyList,
  signingKeysPermission,
} from '#schema/task/signing-key'
import { ActionIconButton } from '../kit/action-button.tsx'
import { Empty } from '../kit/empty.tsx'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import { moment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { Entry, EntryDrawer, useEntries } from '../kit/list/entry-drawer.tsx'
import type { Row } from '../kit/list/list-types.ts'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'

type SigningKey = Row<typeof getSigningKeyList>

function KeyEntry({ item }: { item: SigningKey }) {
  return (
    <>
      <Entry
        title={item.name}
        chips={null}
        facts={[
          isPlatformUser() ? (item.customerName ?? t('package:signing.platform')) : null,
          moment(item.createdAt),
          nameText(item.createdBy),
        ]}
      >
        <ActionIconButton
          label={t('kit:delete')}
          icon={IconTrash}
          danger
          permission={signingKeysPermission}
          onPress={() =>
            void deleteRow({
              call: deleteSigningKey,
              body: { signingKeyId: item.id },
              title: t('package:signing.removeTitle'),
              text: t('package:signing.removeText', { name: item.name }),
              done: t('package:signing.removed', { name: item.name }),
              refreshes: [getSigningKeyList],
            })
          }
        />
      </Entry>
      <Text size="xs" c="dimmed">
        {t('package:signing.deviceKey', { name: item.keyName })}
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-all' }}>
        {`untrusted comment: ${item.keyName}\n${item.deviceKey}`}
      </Code>
    </>
  )
}

/** The keys with which packages must be signed, and what to put on devices so that they trust them. */
export function SigningKeys({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const keys = useEntries(getSigningKeyList, {}, opened)
  const [creating, setCreating] = useState(false)
  return (
    <>
      <EntryDrawer
        opened={opened}
        onClose={onClose}
        title={t('package:signing.title')}
        text={t('package:signing.text')}
        entries={keys}
        create={{
          label: t('package:signing.add'),
          permission: signingKeysPermission,
          onPress: () => setCreating(true),
        }}
        empty={<Empty title={t('package:signing.none')} text={t('package:signing.noneText')} />}
        entry={(item) => <KeyEntry key={item.id} item={item} />}
      />
      <FormDrawer
        opened={creating}
        onClose={() => setCreating(false)}
        title={t('package:signing.add')}
        verb={t('package:signing.add')}
        call={createSigningKey}
        refreshes={[getSigningKeyList]}
        success={t('package:signing.saved')}
        fields={[
          { name: 'name', required: true },
          { name: 'customerId', useOptions: useCustomerOptions, when: isPlatformUser },
          { name: 'publicKey', required: true, hint: 'package:signing.publicKeyHint' },
        ]}
      />
    </>
  )
}
