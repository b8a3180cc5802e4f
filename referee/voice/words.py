"""The referee's phrases in the languages of the tables: English, Mandarin, Cantonese, Japanese.

Plain data. Names of patterns stay in the rule set's own script; English uses their glosses.
"""

from __future__ import annotations

LANGUAGES = ("en", "zh", "yue", "ja")

SEATS = {
    "en": ("East", "South", "West", "North"),
    "zh": ("东家", "南家", "西家", "北家"),
    "yue": ("東家", "南家", "西家", "北家"),
    "ja": ("東家", "南家", "西家", "北家"),
}

#: How a win came about; {giver} is the discarder or the robbed player.
SOURCES = {
    "en": {
        "wall": "by self-draw", "kong": "on a kong's replacement", "flower": "on a flower's replacement",
        "discard": "on {giver}'s discard", "robbed_kong": "by robbing {giver}'s kong",
        "indicator": "by robbing the gold", "deal": "as dealt",
    },
    "zh": {
        "wall": "自摸", "kong": "杠上开花", "flower": "补花自摸", "discard": "胡{giver}的牌", "robbed_kong": "抢{giver}的杠",
        "indicator": "抢金", "deal": "起手胡",
    },
    "yue": {
        "wall": "自摸", "kong": "槓上開花", "flower": "補花自摸", "discard": "食{giver}出銃", "robbed_kong": "搶{giver}槓",
        "indicator": "搶金", "deal": "天糊",
    },
    "ja": {
        "wall": "ツモ和了", "kong": "嶺上開花", "flower": "花牌の補充で和了", "discard": "{giver}からロン",
        "robbed_kong": "{giver}の槓を搶槓", "indicator": "金を搶って和了", "deal": "配牌で和了",
    },
}  # fmt: skip

PHRASES = {
    "en": {
        "win": "{winner} wins {how}: {names}.", "plain_win": "{winner} wins {how}.", "no_win": "{winner}: no win, {reason}.",
        "drawn": "Drawn hand.", "nothing": "Nothing is paid.", "receives": "{seat} receives {amount}",
        "pays": "{seat} pays {amount}", "times": "{name} times {n}", "stop": "{sentence}.", "comma": ", ",
        "fault": "{seat}: {what}.",
    },
    "zh": {
        "win": "{winner}{how}，{names}。", "plain_win": "{winner}{how}。", "no_win": "{winner}不能胡。", "drawn": "流局。",
        "nothing": "不用付。", "receives": "{seat}收{amount}", "pays": "{seat}付{amount}", "times": "{name}{n}次",
        "stop": "{sentence}。", "comma": "，", "fault": "{seat}，{what}。",
    },
    "yue": {
        "win": "{winner}{how}，{names}。", "plain_win": "{winner}{how}。", "no_win": "{winner}唔可以食糊。", "drawn": "流局。",
        "nothing": "唔使畀錢。", "receives": "{seat}收{amount}", "pays": "{seat}畀{amount}", "times": "{name}{n}次",
        "stop": "{sentence}。", "comma": "，", "fault": "{seat}，{what}。",
    },
    "ja": {
        "win": "{winner}、{how}、{names}。", "plain_win": "{winner}、{how}。", "no_win": "{winner}の和了は認められません。",
        "drawn": "流局。", "nothing": "支払いはありません。", "receives": "{seat}は{amount}点の受け取り",
        "pays": "{seat}は{amount}点の支払い", "times": "{name}{n}つ", "stop": "{sentence}。", "comma": "、",
        "fault": "{seat}、{what}。",
    },
}  # fmt: skip

#: What is said at the table of a fault everybody can see. Faults that are missing here are told to the referee's screen only.
FAULTS = {
    "out_of_turn": ("out of turn", "抢牌", "搶牌", "順番違い"),
    "wrong_end": ("drawn from the wrong end of the wall", "摸错牌墙", "摸錯牌墻", "取る場所の間違い"),
    "dead_wall": ("this tile must stay in the wall", "王牌不可摸", "尾牌唔可以摸", "王牌に手をつけました"),
    "missing_replacement": ("no replacement was drawn", "没有补牌", "冇補牌", "補充牌を取っていません"),
    "wrong_chow": ("no such chow", "错吃", "錯上", "誤チー"),
    "wrong_pung": ("no such pung", "错碰", "錯碰", "誤ポン"),
    "wrong_kong": ("no such kong", "错杠", "錯槓", "誤カン"),
    "wild_in_meld": ("a wild tile in a declared set", "财神不可吃碰杠", "百搭唔可以上碰槓", "副露に財神が入っています"),
    "claimed_wild": ("a discarded wild tile cannot be claimed", "打出的财神不可要", "打出嘅百搭唔可以攞", "捨てた財神は鳴けません"),
    "wild_discarded": ("a wild tile was discarded", "打出财神", "打出百搭", "財神を捨てました"),
    "barred_claim": ("this claim is barred", "现在不可要", "而家唔可以攞", "この鳴きはできません"),
    "wrong_precedence": ("another claim goes first", "别人优先", "人哋優先", "他家が優先です"),
    "forced_discard": ("another tile must be discarded first", "先打字牌", "要先打字牌", "先に捨てる牌があります"),
    "swap_discard": ("the tile just claimed may not be discarded", "不可换打", "唔可以換打", "喰い替えはできません"),
    "extra_tile": ("one copy of this tile too many", "这张牌多了一张", "呢隻牌多咗", "同じ牌が多すぎます"),
    "changed_after_ready": ("the hand may not change after declaring ready", "听牌后不可换牌", "叫糊後唔可以換牌", "聴牌宣言後の手替わり"),
    "false_win": ("no win", "诈胡", "詐糊", "誤和了"),
    "wrong_turned": ("the wall was opened or the tile turned in the wrong place", "开门位置不对", "開位唔啱", "開門または表示牌の位置違い"),
}  # fmt: skip

#: Faults about how many tiles a hand holds: a bystander may not comment on these, so they are said only when asked for.
COUNT_FAULTS = {
    "long_hand": ("too many tiles", "大相公", "大相公", "多牌"),
    "short_hand": ("too few tiles", "小相公", "小相公", "少牌"),
    "no_draw": ("discarded without drawing", "没有摸牌", "冇摸牌", "ツモなしの打牌"),
    "double_draw": ("drew twice", "摸了两张", "摸咗兩隻", "二枚ツモ"),
}

#: How the engine is to read Japanese: it knows no Chinese characters, so what has no reading here is left out when spoken.
KANA = {
    "東家": "トンチャ", "南家": "ナンチャ", "西家": "シャーチャ", "北家": "ペーチャ", "ツモ和了": "ツモアガリ", "嶺上開花": "リンシャンカイホウ",
    "花牌の補充で和了": "はなはいのほじゅうであがり", "の槓を搶槓": "のカンをチャンカン", "金を搶って和了": "きんをうばってあがり",
    "配牌で和了": "はいぱいであがり", "の和了は認められません": "のあがりはみとめられません", "流局": "りゅうきょく",
    "支払いはありません": "しはらいはありません", "点の受け取り": "てんのうけとり", "点の支払い": "てんのしはらい",
    "順番違い": "じゅんばんちがい", "誤和了": "ごあがり", "他家が優先です": "たちゃがゆうせんです", "誤": "ご",
    "混一色": "ホンイーソー", "清一色": "チンイーソー", "碰碰胡": "トイトイ", "対対胡": "トイトイ", "七対子": "チートイツ", "平胡": "ピンフ",
    "門前清": "メンゼン", "自摸": "ツモ", "字一色": "ツーイーソー", "大三元": "ダイサンゲン", "小三元": "ショウサンゲン", "国士無双": "コクシムソウ",
}  # fmt: skip
