/** How long each step of a task may last without news: parameters, so that slow networks can be given more time. */
import { type Parameter, parameter, texts } from '../kit/parameter.ts'

const step = (names: Parameter['names'], descriptions: Parameter['descriptions'], initial: number) =>
  parameter(names, descriptions, { unit: 'seconds', initial, min: 10, max: 7200, perCustomer: true })

export const deadlineParameters = {
  stepSentS: step(
    texts('任务步骤期限：命令已下发', '任務步驟期限：命令已下達', 'Task step deadline: command sent'),
    texts(
      '下发后多久没有应答即记为失败；对之后新建的任务生效',
      '下達後多久沒有回應即記為失敗；對之後新建的任務生效',
      'Silence for so long after sending is a failure; holds for tasks made from now on',
    ),
    60,
  ),
  stepConnectedS: step(
    texts('任务步骤期限：远程已连接', '任務步驟期限：遠端已連線', 'Task step deadline: remote connected'),
    texts(
      '连接文件服务器后多久没有开始下载即记为失败；对之后新建的任务生效',
      '連線檔案伺服器後多久沒有開始下載即記為失敗；對之後新建的任務生效',
      'Silence for so long after reaching the file server is a failure; holds for tasks made from now on',
    ),
    60,
  ),
  stepDownloadingS: step(
    texts('任务步骤期限：下载中', '任務步驟期限：下載中', 'Task step deadline: downloading'),
    texts(
      '下载中多久没有进展即记为失败；对之后新建的任务生效',
      '下載中多久沒有進展即記為失敗；對之後新建的任務生效',
      'A download without progress for so long has failed; holds for tasks made from now on',
    ),
    120,
  ),
  stepDownloadedS: step(
    texts('任务步骤期限：下载完成', '任務步驟期限：下載完成', 'Task step deadline: downloaded'),
    texts(
      '下载完成后多久没有开始安装即记为失败；对之后新建的任务生效',
      '下載完成後多久沒有開始安裝即記為失敗；對之後新建的任務生效',
      'Silence for so long between download and installation is a failure; holds for tasks made from now on',
    ),
    120,
  ),
  stepUpgradingS: step(
    texts('任务步骤期限：安装中', '任務步驟期限：安裝中', 'Task step deadline: installing'),
    texts(
      '开始安装后多久没有带着新版本回来即记为失败；对之后新建的任务生效',
      '開始安裝後多久沒有帶著新版本回來即記為失敗；對之後新建的任務生效',
      'A device that is not back with the new version after so long has failed; holds for tasks made from now on',
    ),
    600,
  ),
  rebootBackS: step(
    texts('批量重启期限', '批次重新啟動期限', 'Reboot of many: time to come back'),
    texts(
      '下发重启后多久没有回来即记为失败；对之后新建的任务生效',
      '下達重新啟動後多久沒有回來即記為失敗；對之後新建的任務生效',
      'A device that is not back so long after the reboot was sent has failed; holds for tasks made from now on',
    ),
    300,
  ),
} as const satisfies Record<string, Parameter>
