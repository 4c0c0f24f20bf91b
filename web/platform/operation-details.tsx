import { Code, Skeleton, Stack, Text } from '@mantine/core'
import { getOperation } from '#schema/platform/operation'
import { Drawer } from '../kit/dialog.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { Facts } from '../kit/facts.tsx'
import { t } from '../kit/i18n.ts'
import { Mono } from '../kit/mono.tsx'
import { useCall } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { callName } from './call-name.ts'
import { OperationDiff } from './operation-diff.tsx'
import { OperationObject } from './operation-object.tsx'
import { ResultChip, Who } from './operation-row.tsx'

const known = (value: unknown) => value !== null && value !== undefined

type Props = { id: number; opened: boolean; onClose: () => void }

export function OperationDetails({ id, opened, onClose }: Props) {
  const query = useCall(getOperation, { id })
  const operation = query.data
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={operation ? callName(operation.call) : t('operation:details')}
      size={600}
    >
      <ReadBar read={query} />
      {operation ? (
        <Stack gap="md">
          <Facts
            facts={[
              { label: t('operation:field.at'), value: <When at={operation.at} absolute /> },
              { label: t('operation:field.who'), value: <Who row={operation} /> },
              { label: t('operation:field.result'), value: <ResultChip row={operation} /> },
              { label: t('operation:field.object'), value: <OperationObject row={operation} /> },
              { label: t('operation:field.customer'), value: operation.customerName },
              { label: t('operation:field.ip'), value: <Mono value={operation.ip} /> },
              {
                label: t('operation:field.code'),
                value: [operation.code, operation.reason].filter(known).join(' · '),
              },
              { label: t('operation:field.requestId'), value: <Mono value={operation.requestId} /> },
            ]}
          />
          <div>
            <Text fw={600} mb={4}>
              {t('operation:diff')}
            </Text>
            {known(operation.before) || known(operation.after) ? (
              <OperationDiff before={operation.before} after={operation.after} />
            ) : (
              <Text c="dimmed" size="sm">
                {t('operation:noChange')}
              </Text>
            )}
          </div>
          {known(operation.body) ? (
            <div>
              <Text fw={600} mb={4}>
                {t('operation:body')} <Mono value={operation.call} />
              </Text>
              <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {JSON.stringify(operation.body, null, 2)}
              </Code>
            </div>
          ) : null}
        </Stack>
      ) : query.isPending ? (
        <Skeleton h={280} />
      ) : null}
    </Drawer>
  )
}
