import { Group, Text } from '@mantine/core'
import { getPackageList, packageScreen, packageUploadPermission } from '#schema/task/package'
import { packageTitle } from '#schema/task/package-title'
import { t } from '../kit/i18n.ts'
import { SyncChip, TypeBadge } from '../package/package-chips.tsx'
import { fileStep } from './upgrade-wizard-file.tsx'

/** The first step of an upgrade: which package. */
export const WizardPackage = fileStep(
  getPackageList,
  {
    label: 'upgrade:wizard.package',
    search: 'upgrade:wizard.searchPackage',
    none: 'upgrade:wizard.noPackage',
    noneText: 'upgrade:wizard.noPackageText',
    upload: 'upgrade:wizard.upload',
  },
  { permission: packageUploadPermission, path: `${packageScreen.path}?upload=1` },
  (row) => ({
    name: `${packageTitle(row.name, row.version)} ${row.model}`,
    title: (
      <Group gap={8} wrap="wrap">
        <Text fw={600}>{packageTitle(row.name, row.version)}</Text>
        <TypeBadge type={row.type} />
        {row.syncedAt ? null : <SyncChip row={row} />}
      </Group>
    ),
    fact: t('upgrade:wizard.forModel', { model: row.model }),
    locked: row.syncedAt === null,
    choice: row,
  }),
)
