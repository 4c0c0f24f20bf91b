import { variableWritePermission } from '#schema/monitor/commands/write-variable'
import { commandBlockedReason } from '../command/commands.ts'
import { ActionButton } from '../kit/action-button.tsx'
import { t } from '../kit/i18n.ts'
import { isKiosk } from '../kit/session.ts'
import type { Value } from '../monitor/variable-value.tsx'
import { writing } from '../monitor/variable-write.tsx'
import classes from './panel.module.css'
import { OfOne, Reading, type WidgetProps } from './panel-reading.tsx'

/** Full screen shows only the panel: the dialog would be hidden behind it. */
function press(row: Value) {
  if (document.fullscreenElement) void document.exitFullscreen()
  writing.show(row)
}

/** The current state, and a button that opens the confirmed write: nothing on a panel is switched by a single click. */
export function PanelSwitch(props: WidgetProps) {
  return (
    <OfOne {...props}>
      {(row) => (
        <div className={classes['switchAt']}>
          <div className={classes['switch']}>
            <Reading row={row} />
            {isKiosk() ? null : (
              <ActionButton
                label={t('variable-write:action')}
                permission={variableWritePermission}
                reason={
                  row.access === 'read'
                    ? t('variable-write:readOnly')
                    : commandBlockedReason({ online: row.deviceOnline }, '')
                }
                onPress={() => press(row)}
              />
            )}
          </div>
        </div>
      )}
    </OfOne>
  )
}
