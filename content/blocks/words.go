package blocks

import "strings"

// group is something that the words of a class or id, a tag or a role say of an
// element. Of every group, a block knows how far above it the nearest such
// element is.
type group uint8

const (
	groupNav group = iota
	groupHeader
	groupFooter
	groupSide
	groupMain
	groupArticle
	groupContent
	groupComment
	groupRelated
	groupShare
	groupAd
	groupOverlay
	groupAccount
	groupBreadcrumb
	groupPager
	groupMeta
	groupTopic
	groupTitle
	groupMedia
	groupItem
	groupProduct
	groupReview
	groupForum
	groupUser
	groupContents
	groupSummary
	groupHidden
	groupSkip
	groupLegal
	groupSearch
	groupTool
	groupCode
	groupDetail
	groupPlace
	groupHero
	groupSection
	groupList
	groupListItem
	groupTable
	groupCell
	groupDefinition
	groupForm
	groupFigure
	groupQuote
	groupParagraph
	groupFold
	groupLink
	groupButton
	groupBodyProp
	groupLabel
	groupNoscript
	groupWidget
	groupConsent
	groupUnseen
	groupAnswer
	groupManual
	groupNotice
	groupSidebar
	groups // how many there are
)

// groupWords are the words of class and id attributes, in lower case. Two of them
// written as one are both, and so is one with another of joinedWords behind it.
var groupWords = [groups]string{
	groupNav:        "nav navbar navigation navi topnav sidenav subnav leftnav mainnav menu menus megamenu submenu mainmenu topmenu hamburger navbox navlinks gnb lnb menubar dropdown sitenav",
	groupHeader:     "header head masthead topbar top hd siteheader pageheader branding logo toolbar banner",
	groupFooter:     "footer foot ft bottom colophon bottombar sitefooter footnav endbar",
	groupSide:       "sidebar side aside rail rightcol leftcol rightbar sidecol secondary right left sidemenu leftside rightside tertiary complementary",
	groupMain:       "main primary maincontent mainbody mainbox maincol center middle centre",
	groupArticle:    "article story entry post news blog blogpost postbody articles posts single hentry articlebody storybody singlepost artikel",
	groupContent:    "content contents body text copy prose richtext bodytext articletext entrytext posttext txt con cont markdown rte wysiwyg bodycopy mainarea detail inhalt texte paragraph",
	groupComment:    "comment comments commentlist disqus respond replies discussion feedback commenting usercomment pinglun",
	groupRelated:    "related recommend recommended recommendations similar also suggested suggestions more readmore seealso trending popular mostread hot latest recirc recirculation outbrain taboola yarpp others relate recent upnext next tuijian morefrom",
	groupShare:      "share sharing social socials sharedaddy addthis addtoany facebook twitter bookmark follow sharebar socialmedia shares bshare jiathis whatsapp pinterest",
	groupAd:         "ad ads advert advertisement adverts advertising adsense adsbygoogle sponsor sponsored promo promos promotion gpt dfp adslot adbox adcontainer banners commercial affiliate guanggao promoted",
	groupOverlay:    "cookie cookies consent gdpr onetrust modal popup overlay dialog lightbox paywall tooltip drawer offcanvas toast alert notification interstitial snackbar flyout layer cmp privacy",
	groupAccount:    "newsletter subscribe subscription signup login signin logout register registration account user password email auth optin mailing mailchimp",
	groupBreadcrumb: "breadcrumb breadcrumbs crumb crumbs trail position path location weizhi bread",
	groupPager:      "pagination pager paging page pages pagenav prev previous prevnext nextprev pagelinks pageno",
	groupMeta:       "meta byline author date time timestamp published updated info postmeta dateline credit credits source written posted pubdate datetime entrymeta authors bio publish details reporter laiyuan byauthor",
	groupTopic:      "tag tags category categories topic topics label labels keyword keywords tagcloud taglist section sections channel",
	groupTitle:      "title headline heading h1 subtitle subhead titel entrytitle posttitle kicker subheading deck standfirst",
	groupMedia:      "caption figure media gallery image images img photo photos video videos slideshow thumbnail thumb thumbs picture pic player carousel audio embed wp figcaption",
	groupItem:       "list grid card cards item items tile tiles result results row col feed listing teaser teasers box boxes panel block blocks module entries stream summary collection",
	groupProduct:    "product products price prices cart buy sku shop store basket checkout stock variant variants offer add addtocart swatch quantity pdp woocommerce deal pricing plan plans",
	groupReview:     "review reviews rating ratings star stars score testimonial testimonials votes",
	groupForum:      "thread threads forum forums message messages msg question questions answer answers quote postbody postcontent postmessage postbit bbs viewtopic lzl postlist reply board discussions conversation qa",
	groupUser:       "user users profile avatar member members username poster signature sig userinfo userpic rank joined nickname nick badge badges persona",
	groupContents:   "toc tableofcontents index outline onthispage jumplinks tocify scrollspy anchors",
	groupSummary:    "description desc summary intro lead lede abstract excerpt teaser synopsis overview introduction about snippet chapo dek blurb",
	groupHidden:     "hidden hide invisible noscript displaynone none collapse collapsed inactive noprint",
	groupSkip:       "skip skiplink screenreader sr visuallyhidden assistive offscreen a11y accessibility",
	groupLegal:      "copyright legal disclaimer terms imprint license licence rights policy disclosure trademark",
	groupSearch:     "search searchbox searchform filter filters sort sorting facet facets refine query suche toolbarsearch",
	groupTool:       "tool tools action actions button buttons btn control controls print vote voting toolbox editsection edit report permalink icon icons cta link links widget toggle upvote",
	groupCode:       "code highlight highlighter syntax codeblock prism hljs crayon sourcecode snippet",
	groupDetail:     "spec specs specification specifications feature features attribute attributes tab tabs accordion faq faqs ingredients instructions recipe step steps properties benefits services service",
	groupPlace:      "event events job jobs address hours contact map phone location locations venue calendar vcard schedule salary company",
	groupHero:       "hero jumbotron slider slide slides cta banner splash carousel swiper callout promo featured spotlight",
	groupConsent:    "onetrust cybot cybotcookiebotdialog cookiebot didomi usercentrics truste trustarc osano iubenda cmpbox cookieconsent cookiebanner cookienotice cookiebar cookielaw cky moove borlabs complianz cmplz cookiescript",
	groupWidget:     "widget widgets module portlet plugin sidebarwidget textwidget gadget component",
	groupAnswer:     "answer answers question questions qa accepted solution solutions postcell votecell bestanswer kbanswer",
	groupManual: "document documentation docs doc manual reference api chapter section sect refsect refentry refsynopsisdiv synopsis programlisting variablelist itemizedlist orderedlist literallayout " +
		"memitem memproto memdoc member members method methods function functions class classes struct enum typedef signature sig declaration docblock docstring definition parameters params returns example examples " +
		"docutils rst sphinx doxygen javadoc rustdoc haddock texinfo admonition note warning tip caution important glossary appendix",
	groupNotice: "notice notices announcement announcements announce bulletin sitenotice alertbar infobar messagebar noticebar gonggao",
	groupSidebar: "sidebar sidebars sidenav sidemenu leftnav rightnav leftmenu rightmenu navpane navtree navpanel navframe treeview toctree localtoc globaltoc sphinxsidebar tocframe toc tocs tocbox sidetoc pagetoc onthispage " +
		"breadcrumb breadcrumbs prevnext nextprev navheader navfooter navigational topnav navbar navlinks quickview relations",
}

// joinedWords are what class and id attributes join to other words.
const joinedWords = "s es list lists box boxes wrap wrapper wrapped container cont area inner outer left right top bottom bar bars form forms item items text title titles link links body head main holder block blocks " +
	"section sections group groups content contents page pages row col column columns div id data view views info page site count counter number button btn icon image img menu nav small large mobile desktop fixed " +
	"detail details full new only one two three first last"

// vocabulary is a group of words in texts that say what the text is for.
type vocabulary uint8

const (
	wordsUI vocabulary = iota
	wordsLegal
	wordsShare
	wordsAccount
	wordsComment
	wordsDate
	wordsByline
	wordsShop
	wordsRelated
	wordsFunction
	wordsTeaser
	vocabularies
)

var vocabularyWords = [vocabularies]string{
	wordsUI: "home menu search skip back next previous prev more read view show hide click here close open toggle top main navigation site map sitemap help faq print download upload continue loading expand " +
		"inicio buscar menú accueil recherche suche startseite mehr weiter zurück cerca главная поиск меню далее filter sort all select options see load " +
		"首页 主页 登录 登陆 注册 搜索 更多 返回 导航 菜单 下载 打印 关闭 收藏 顶部 上一 下一 查看 点击 检索 目錄 首頁 搜尋 登入 註冊 ホーム 検索 一覧 戻る メニ 次へ 前へ",
	wordsLegal: "copyright rights reserved privacy policy terms conditions cookie cookies legal disclaimer imprint impressum datenschutz agb contact about careers advertise accessibility trademark license " +
		"derechos reservados mentions légales confidentialité rechte vorbehalten powered " +
		"版权 所有 备案 隐私 声明 条款 协议 联系 关于 网安 许可 版權 免责 举报 侵权 公司 会社 規約 利用 著作",
	wordsShare:   "share tweet facebook twitter linkedin pinterest instagram youtube whatsapp reddit telegram email follow teilen partager compartir condividi like likes tumblr rss 分享 微信 微博 转发 扫码 朋友 关注 二维 点赞 空间 シェ",
	wordsAccount: "login log sign signin signup register subscribe subscription newsletter account password join member membership username anmelden registrieren abonnieren connexion inscription войти регистрация logout email 密码 账号 用户 会员 订阅 帐号 验证 邮箱 会員",
	wordsComment: "comment comments reply replies post posts posted quote report answer answers kommentar kommentare commentaires comentarios antworten views votes thread topic joined reputation member members message permalink 评论 回复 发表 楼主 回帖 发帖 帖子 跟帖 点评 引用 主题 积分 精华 浏览 评價 回覆 留言 返信 楼层 沙发 板凳",
	wordsDate: "january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday ago am pm " +
		"januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto updated published uhr date hours minutes days 发布 时间 日期 小时 分钟 星期 更新 昨天 今天 公開 年月",
	wordsByline: "by author written editor von par por photo source staff reporter getty credit image via photograph correspondent foto bild quelle reuters afp edited credits 来源 作者 编辑 记者 责任 责编 原标 稿源 摄影 出处 通讯 校对 來源 編輯 文章",
	wordsShop:   "price cart buy add shop shipping stock quantity sale free delivery order checkout wishlist usd eur returns size color sku warenkorb kaufen panier carrito qty reviews review rating stars save off 价格 购买 购物 优惠 包邮 库存 商品 订单 加入 カー 送料 税込",
	wordsRelated: "related recommended popular trending latest similar also like more stories articles you may recent news featured ähnliche meistgelesen lesen articles relacionados suite voir editors picks top " +
		"sponsored advertisement anzeige publicité promoted 相关 推荐 热门 最新 排行 精选 猜你 喜欢 阅读 延伸 热点 广告 相關 推薦 関連 記事 人気 おす",
	wordsFunction: "the of and to in is that it was for with as on are be this have not he she they we his her their which from at or an but were been has had will would can there " +
		"der die und das ist nicht mit den von ein eine zu auf für sich dem des es im auch war sind wird les des est et une dans que pour pas sur avec qui sont il la le el los las que del una por con para es en se no lo " +
		"di che il per non una sono con и в не на что с по это как het een van dat niet voor op te zijn och att som det på är 我们 他们 一个 因为 所以 可以 没有 自己 这个 不是 就是 如果 但是 什么 です ます した",
	wordsTeaser: "more continue reading weiterlesen weiter lesen mehr lire suite plus leer más seguir leyendo leggi tutto continua ler mais lees verder läs mer les mer читать далее подробнее czytaj dalej devamı " +
		"full story article details learn discover view 全文 查看 详细 详情 続き 読む 더보",
}

// table finds what a word stands for by the word's hash alone. Words are few
// against the hashes there are; that two share one does not happen here, which
// a test checks.
type table struct {
	mask  uint32
	slots []slot
	homes []uint64 // a bit for each slot that a word belongs into, to miss quickly
}

type slot struct {
	hash  uint32 // 0 when the slot is free
	value uint64 // a bit for every list the word is in
}

func newTable(lists []string) *table {
	size := 1
	for _, list := range lists {
		size += strings.Count(list, " ") + 1
	}
	capacity := 64
	for capacity < 4*size {
		capacity *= 2
	}
	t := &table{mask: uint32(capacity - 1), slots: make([]slot, capacity), homes: make([]uint64, capacity/64)}
	for i, list := range lists {
		for word := range strings.FieldsSeq(list) {
			h := hashWord(word)
			s := t.find(h)
			s.hash = h
			s.value |= 1 << i
			t.homes[h&t.mask/64] |= 1 << (h & 63)
		}
	}
	return t
}

// lists returns a bit for every list that the word with this hash is in.
func (t *table) lists(hash uint32) uint64 {
	if t.homes[hash&t.mask/64]&(1<<(hash&63)) == 0 {
		return 0
	}
	return t.find(hash).value
}

// find returns the slot of a hash, or a free one.
func (t *table) find(hash uint32) *slot {
	for i := hash & t.mask; ; i = (i + 1) & t.mask {
		if s := &t.slots[i]; s.hash == hash || s.hash == 0 {
			return s
		}
	}
}

var (
	groupIndex = newTable(groupWords[:])
	joinIndex  = newTable([]string{joinedWords})
	vocabIndex = newTable(vocabularyWords[:])
)

const (
	hashStart = 2166136261
	hashPrime = 16777619
)

// hashWord is FNV-1a, never 0 for the words at hand.
func hashWord(word string) uint32 {
	h := uint32(hashStart)
	for i := range len(word) {
		h = (h ^ uint32(word[i])) * hashPrime
	}
	return h
}

// hashBytes goes on with the hash of a word.
func hashBytes(h uint32, bytes [3]byte) uint32 {
	for _, c := range bytes {
		h = (h ^ uint32(c)) * hashPrime
	}
	return h
}

// wordGroups returns the groups of the words of a class or id as bits. Words end
// at everything that is no letter, and before capitals.
func wordGroups(value string) uint64 {
	var found, prefix uint64 // prefix: what the word at hand begins with
	h, rest, n := uint32(hashStart), uint32(hashStart), 0
	if len(value) > maxClass {
		value = value[:maxClass]
	}
	for i := 0; i <= len(value); i++ {
		var c byte
		if i < len(value) {
			c = value[i]
		}
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if n > 0 && (!letter || c <= 'Z' && value[i-1] > 'Z') {
			if bits := groupIndex.lists(h); bits != 0 {
				found |= bits
			} else if prefix != 0 {
				found |= joined(prefix, rest)
			}
			h, n, prefix = hashStart, 0, 0
		}
		if !letter {
			continue
		}
		h = (h ^ uint32(c|0x20)) * hashPrime
		rest = (rest ^ uint32(c|0x20)) * hashPrime
		if n++; n >= minPrefix {
			if bits := groupIndex.lists(h); bits != 0 {
				prefix, rest = bits, hashStart
			}
		}
	}
	return found
}

// minPrefix is how long a word is that others are joined to.
const minPrefix = 4

// joined returns the groups of a word that begins with one of the groups prefix,
// and goes on with a word that has such a hash: none if that is no word.
func joined(prefix uint64, rest uint32) uint64 {
	if bits := groupIndex.lists(rest); bits != 0 {
		return prefix | bits
	}
	if joinIndex.lists(rest) != 0 {
		return prefix
	}
	return 0
}

// maxClass bounds how much of a class or id is read.
const maxClass = 200
