"""Chinese: rules and what only looks like one, as developers say it."""

from __future__ import annotations

import pytest

from support.speech import rule, talk

RULES = [
    "不对，不要用 curl，用 lib/http 里的客户端。",
    "请每次先写迁移再写模型",
    "从现在开始，每次提交前先跑 lint",
    "错了。起重机的 id 都是字符串，不是数字",
    "我们用 pnpm，不用 npm",
    "我们的测试数据库现在监听 6543 端口",
    "我们决定服务之间用 gRPC，因为 REST 太啰嗦",
    "我说过了，不要往公共分支强推",
    "一次最多加载 200 个集装箱",
    "测试一律放在 tests/unit，不要和代码放在一起",
    "错误信息必须用英文，客户会看",
    "回答要简短，代码我自己会看",
    "加新的依赖之前先问我",
    "提交信息一律用祈使句",
    "库代码里禁止用 print，用 logger",
    "分支名都用 feature/<ticket>-<name> 的格式",
    "记住，部署之前必须清缓存",
    "密码只能从 Vault 读，绝不能放在 .env 里",
    "以后都要先 rebase 再合并",
    "日志最多保留 30 天",
    "原则上不要 mock 数据库，用 testcontainers",
    "配置文件继续用 TOML，就这么定了",
    "如果导入失败，必须保留清单文件",
    "金额永远不要用浮点数",
    "可以每次都把类型写上吗？",
    "服务之间只能通过队列调用",
    "不要编造 id，从 fixtures/ids.json 里取",
    "每个新接口都要在 docs/api.md 里登记",
    "发布前 make check 必须是绿的",
    "legacy/ 目录谁都不许动，还有两个客户在用",
    "以后没问我不要这样做",
    "我们不提交生成的文件",
    "环境变量只能在 config.py 里读取",
    "接口不能暴露内部 id",
    "下次先跑测试再推送",
    "密码不要放进仓库",
    "所有时间都存 UTC",
    "注释用英文写，别用中文",
    "没有评审不准合并到 main",
    "发邮件一律走队列",
    "我更喜欢短函数，不喜欢大类",
]

TALK = [
    "把它弄成绿的",
    "谢谢，现在可以了。",
    "等等，两个都给我看看",
    "页面现在是空的",
    "不是，另一个文件",
    "嗯，还是旧的好看，改回去吧",
    "能先给我看一下 diff 吗？",
    "泊位就是码头吗？",
    "测试还是红的",
    "也许我们根本不应该拆开",
    "暂时都放在一个文件里",
    "用小一点的批次试试",
    "修复这个文件里所有的 lint 错误",
    "剩下的我自己来",
    "算了，不用管了",
    "帮我算一下五月的费用总和",
    "页脚的链接指向旧网站",
    "为什么测试失败了？",
    "加一个吃水深度的字段",
    "把所有的 foo 调用替换成 bar",
    "看起来不错，提交吧",
    "搜索结果里有重复的行",
    "我觉得应该一直缓存",
    "列出所有的流程",
    "重启服务器，看看错误还在不在",
    "颜色再深一点",
    "导入两分钟后就崩溃了",
    "表里的状态 4 是什么意思？",
    "同事写道：\n永远不要用浮点数。一律用 Decimal。",
    "把变量改名为 total",
    "好的，继续",
    "继续之前先更新一下 changelog",
    "能再改一下函数名吗？",
    "搜索总是只显示第一页",
    "手机上登录不了",
    "给导入器写一个测试",
    "这个颜色我不喜欢",
    "等等，还没说完",
    "定时任务昨晚没有跑",
    "这种情况用另一个解析器",
    "在设置里加一个深色模式的开关",
    "表单要包含姓名和地址",
    "我不明白为什么这么慢",
    "好，进入下一步",
]


@pytest.mark.parametrize("text", RULES)
def test_rules_are_found(text: str) -> None:
    assert rule(text, "zh")


@pytest.mark.parametrize("text", TALK)
def test_talk_is_left(text: str) -> None:
    assert talk(text) == ""


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (RULES[0], "用 lib/http 里的客户端，而不是 curl"),
        (RULES[4], "用 pnpm，而不是 npm"),
        (RULES[7], "避免往公共分支强推"),
        (RULES[9], "测试一律放在 tests/unit，不要和代码放在一起"),
    ],
)
def test_titles_are_positive(text: str, title: str) -> None:
    assert rule(text, "zh") == title
