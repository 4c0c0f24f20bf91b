import { Button } from '@mantine/core'
import { parseAsString, useQueryState } from 'nuqs'
import { useState } from 'react'
import { deviceRebootPermission } from '#schema/device/commands/power'
import { ActionButton } from '../kit/action-button.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { t } from '../kit/i18n.ts'
import { useNarrow } from '../kit/narrow.ts'
import { CommandMany } from './command-many.tsx'
import classes from './task.module.css'
import { kindText } from './task-kinds.ts'
import { emptyDraft, targetOf } from './upgrade-draft.ts'
import { WizardDevices } from './upgrade-wizard-devices.tsx'

/** `?reboot=1` opens it. A batch reboot from the list of tasks: first the devices, then the same confirmation as in the device list. */
export function RebootMany() {
  const [address, setAddress] = useQueryState('reboot', parseAsString.withDefault(''))
  const [draft, setDraft] = useState(emptyDraft)
  const [asking, setAsking] = useState(false)
  const narrow = useNarrow()
  const opened = address === '1'
  const selection = targetOf(draft)
  const close = () => {
    setAsking(false)
    void setAddress(null)
  }
  return (
    <>
      <Drawer
        opened={opened && !asking}
        onClose={close}
        title={kindText('reboot')}
        size={narrow ? '100%' : 680}
      >
        <div className={classes['wizard']}>
          <div className={classes['wizardBody']}>
            <WizardDevices draft={draft} change={(part) => setDraft((before) => ({ ...before, ...part }))} />
          </div>
          <div className={classes['wizardFoot']}>
            <Button variant="default" onClick={close}>
              {t('kit:cancel')}
            </Button>
            <ActionButton
              rank="primary"
              label={t('upgrade:wizard.next')}
              permission={deviceRebootPermission}
              reason={selection ? null : t('upgrade:wizard.needPick')}
              onPress={() => setAsking(true)}
            />
          </div>
        </div>
      </Drawer>
      {asking && selection ? (
        <CommandMany
          opened={opened}
          onClose={close}
          many={{ name: null, count: 'dids' in selection ? selection.dids.length : null, selection }}
          command="reboot"
        />
      ) : null}
    </>
  )
}
