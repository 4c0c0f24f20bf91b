import { Button, Group, Radio, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { getPackageList, packageUploadPermission } from '#schema/task/package'
import { packageTitle } from '#schema/task/package-title'
import { Empty } from '../kit/empty.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { When } from '../kit/time.tsx'
import { type PackageRow, SyncChip, TypeBadge } from '../package/package-chips.tsx'
import classes from './task.module.css'
import type { ChosenFile } from './upgrade-draft.ts'

/** Newest first; others are found by name. */
const SHOWN = 200

export const usePackages = (enabled: boolean) =>
  useCall(getPackageList, { limit: SHOWN }, { enabled, refreshS: 5 })

const matches = (row: PackageRow, search: string) =>
  `${row.name} ${row.version} ${row.model}`.toLowerCase().includes(search.trim().toLowerCase())

type Props = { chosen: ChosenFile | null; onChoose: (row: ChosenFile) => void }

export function WizardPackage({ chosen, onChoose }: Props) {
  const packages = usePackages(true)
  const [search, setSearch] = useState('')
  const list = packages.data?.list ?? []
  const shown = list.filter((row) => matches(row, search))
  const uploadButton = can(packageUploadPermission) ? (
    <Button
      variant="default"
      leftSection={<IconUpload size={16} stroke={1.5} />}
      onClick={() => goTo('/task/softwarepackage?upload=1')}
    >
      {t('upgrade:wizard.upload')}
    </Button>
  ) : null
  if (packages.error && !packages.data) return <ErrorBar error={packages.error} />
  if (!packages.data) return <Skeleton height={66} />
  if (list.length === 0)
    return (
      <Empty
        title={t('upgrade:wizard.noPackage')}
        text={t('upgrade:wizard.noPackageText')}
        action={uploadButton}
      />
    )
  return (
    <Stack gap="sm">
      <Group gap={8}>
        <TextInput
          type="search"
          flex="1 1 220px"
          aria-label={t('upgrade:wizard.searchPackage')}
          placeholder={t('upgrade:wizard.searchPackage')}
          leftSection={<IconSearch size={16} stroke={1.5} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {uploadButton}
      </Group>
      {shown.length === 0 ? <Empty kind="noMatch" /> : null}
      <div className={classes['scroll']} role="radiogroup" aria-label={t('upgrade:wizard.package')}>
        {shown.map((row) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: the radio is inside
          <label
            key={row.spId}
            className={classes['choice']}
            data-chosen={row.spId === chosen?.spId || undefined}
            data-locked={row.syncedAt === null || undefined}
          >
            <Radio
              size="xs"
              mt={3}
              name="package"
              aria-label={`${packageTitle(row.name, row.version)} ${row.model}`}
              disabled={row.syncedAt === null}
              checked={row.spId === chosen?.spId}
              onChange={() => onChoose(row)}
            />
            <div style={{ flex: 1, minWidth: 0 }}>
              <Group gap={8} wrap="wrap">
                <Text fw={600}>{packageTitle(row.name, row.version)}</Text>
                <TypeBadge type={row.type} />
                {row.syncedAt ? null : <SyncChip row={row} />}
              </Group>
              <Text size="xs" c="dimmed" component="div">
                {t('upgrade:wizard.forModel', { model: row.model })} · {bytes(row.spFileSize)} ·{' '}
                <When at={row.uploadedAt} />
              </Text>
              {row.remark ? (
                <Text size="xs" c="dimmed" truncate>
                  {row.remark}
                </Text>
              ) : null}
            </div>
          </label>
        ))}
      </div>
    </Stack>
  )
}
