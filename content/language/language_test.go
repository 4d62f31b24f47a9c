package language_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content/language"
)

func TestDetect(t *testing.T) {
	t.Parallel()
	for want, text := range map[string]string{
		"en": "The boats came back in the evening, and we counted the fish that they had caught. Nobody was as happy as the cook.",
		"de": "Am Abend kamen die Boote zurück, und wir zählten die Fische, die sie gefangen hatten. Niemand war so froh wie der Koch.",
		"fr": "Le soir, les bateaux sont revenus et nous avons compté les poissons qu'ils avaient pris. Personne n'était aussi content que le cuisinier.",
		"es": "Por la tarde volvieron los barcos y contamos los peces que habían sacado. Nadie estaba tan contento como el cocinero de la casa.",
		"pt": "À tarde os barcos voltaram e nós contámos os peixes que tinham apanhado. Ninguém estava tão contente como o cozinheiro, mas não por muito tempo.",
		"it": "La sera le barche sono tornate e abbiamo contato i pesci che avevano preso. Nessuno era più contento del cuoco della casa.",
		"nl": "In de avond kwamen de boten terug en we telden de vissen die ze hadden gevangen. Niemand was zo blij als de kok van het huis.",
		"sv": "På kvällen kom båtarna tillbaka och vi räknade fiskarna som de hade fångat. Ingen var så glad som kocken, men det är en annan historia.",
		"da": "Om aftenen kom bådene tilbage, og vi talte de fisk, som de havde fanget. Ingen blev mere glad end kokken, der ikke havde noget at lave.",
		"nb": "Om kvelden kom båtene tilbake, og vi telte fiskene som de hadde fått. Ingen ble mer glad enn kokken, som ikke hadde noe å gjøre nå.",
		"fi": "Illalla veneet palasivat ja me laskimme kalat, jotka ne olivat saaneet. Kukaan ei ollut niin iloinen kuin kokki, mutta se on toinen juttu.",
		"pl": "Wieczorem łodzie wróciły i policzyliśmy ryby, które zostały złowione. Nikt nie był tak zadowolony jak kucharz, ale to jest już inna historia.",
		"cs": "Večer se lodě vrátily a my jsme spočítali ryby, které byly chyceny. Nikdo nebyl tak rád jako kuchař, ale to už je jiný příběh.",
		"sk": "Večer sa lode vrátili a my sme spočítali ryby, ktoré boli chytené. Nikto nebol taký rád ako kuchár, ale to už je iný príbeh, ktorý nie je pre deti.",
		"hu": "Este a hajók visszatértek, és megszámoltuk a halakat, amelyeket fogtak. Senki sem volt olyan boldog, mint a szakács, de ez már egy másik történet.",
		"ro": "Seara bărcile s-au întors și am numărat peștii care au fost prinși. Nimeni nu era mai fericit decât bucătarul, dar aceasta este o altă poveste.",
		"tr": "Akşam tekneler geri döndü ve biz tutulan balıkları saydık. Hiç kimse aşçı kadar mutlu değildi, ama bu başka bir hikâye ve çok uzun.",
		"id": "Pada sore hari perahu itu kembali dan kami menghitung ikan yang mereka tangkap. Tidak ada orang yang lebih senang dari juru masak itu.",
		"vi": "Buổi tối những chiếc thuyền trở về và chúng tôi đếm số cá đã bắt được. Không ai vui bằng người đầu bếp của làng.",
		"ca": "Al vespre els vaixells van tornar i vam comptar els peixos que havien agafat. Ningú no estava més content que el cuiner, però això és una altra història.",
		"hr": "Navečer su se brodovi vratili i mi smo brojali ribe koje su uhvaćene. Nitko nije bio tako sretan kao kuhar, ali to je već druga priča.",
		"sl": "Zvečer so se čolni vrnili in prešteli smo ribe, ki so bile ujete. Nihče ni bil tako vesel kot kuhar, vendar je to že druga zgodba.",
		"et": "Õhtul tulid paadid tagasi ja me lugesime kalad üle, mis olid püütud. Keegi ei olnud nii rõõmus kui kokk, aga see on juba teine lugu.",
		"lv": "Vakarā laivas atgriezās, un mēs saskaitījām zivis, kas bija noķertas. Neviens nebija tik priecīgs kā pavārs, bet tas jau ir cits stāsts.",
		"lt": "Vakare valtys grįžo, ir mes suskaičiavome žuvis, kurios buvo sugautos. Niekas nebuvo toks laimingas kaip virėjas, bet tai jau kita istorija.",
		"ru": "Вечером лодки вернулись, и мы посчитали рыбу, которую они поймали. Никто не был так рад, как повар, но это уже другая история.",
		"uk": "Увечері човни повернулися, і ми порахували рибу, яку вони впіймали. Ніхто не був такий радий, як кухар, але це вже інша історія.",
		"bg": "Вечерта лодките се върнаха и ние преброихме рибите, които бяха уловени. Никой не беше толкова щастлив като готвача, но това е друга история.",
		"sr": "Увече су се чамци вратили и ми смо бројали рибе које су ухваћене. Нико није био тако срећан као кувар, али то је већ друга прича.",
		"el": "Το βράδυ γύρισαν οι βάρκες και μετρήσαμε τα ψάρια που είχαν πιάσει.",
		"he": "בערב חזרו הסירות וספרנו את הדגים שהן תפסו.",
		"ar": "في المساء عادت القوارب وعددنا الأسماك التي صيدت في ذلك اليوم.",
		"fa": "عصر قایق\u200cها برگشتند و ما ماهی\u200cهایی را که گرفته بودند شمردیم و آشپز خوشحال شد که چیزی برای پختن دارد.",
		"ur": "شام کو کشتیاں واپس آئیں اور ہم نے وہ مچھلیاں گنیں جو انہوں نے پکڑی تھیں۔ باورچی سب سے زیادہ خوش تھا۔",
		"zh": "傍晚船都回来了，我们数了数捕到的鱼。没有人比厨师更高兴。",
		"ja": "夕方に船が戻ってきて、私たちは捕れた魚を数えた。料理人ほど喜んだ人はいなかった。",
		"ko": "저녁에 배들이 돌아왔고 우리는 잡은 물고기를 세었다. 요리사만큼 기뻐한 사람은 없었다.",
		"th": "ตอนเย็นเรือกลับมาและเรานับปลาที่จับได้ ไม่มีใครดีใจเท่าพ่อครัว",
		"hi": "शाम को नावें लौट आईं और हमने पकड़ी गई मछलियाँ गिनीं। रसोइए जितना खुश कोई नहीं था।",
		"ka": "საღამოს ნავები დაბრუნდნენ და ჩვენ დავთვალეთ დაჭერილი თევზი.",
		"ta": "மாலையில் படகுகள் திரும்பி வந்தன, பிடித்த மீன்களை எண்ணினோம்.",
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			if got := language.Detect(text); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestDetectNothing(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing":  "",
		"a word":   "Hello",
		"numbers":  strings.Repeat("12.50 € 7 % ", 50),
		"names":    "Berlin Kyoto Nairobi Quito Reykjavik Toronto Vilnius Warszawa Zagreb Adelaide Bogota Casablanca",
		"code":     strings.Repeat("x9 := fn(k7, q4); zz[3] = 0xff\n", 20),
		"no words": strings.Repeat("xqzt vbnm ", 50),
	} {
		if got := language.Detect(text); got != "" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

// TestMixed has texts in which names and terms of other languages stand.
func TestMixed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"我们使用 PostgreSQL、Kubernetes 和 Docker 来部署服务，请先安装 Docker Desktop 并打开它。":                                "zh",
		"Docker と Kubernetes を使ってサービスを動かします。まず Docker Desktop をインストールしてください。":                                "ja",
		"Мы используем PostgreSQL и Docker для того, чтобы сервис работал. Это не так просто, как кажется.":  "ru",
		"Das Team nutzt Continuous Integration und Docker, weil die Software so schneller zum Kunden kommt.": "de",
	} {
		if got := language.Detect(text); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func FuzzDetect(f *testing.F) {
	f.Add("The boats came back in the evening.")
	f.Add("傍晚船都回来了\xff\xfe")
	f.Fuzz(func(t *testing.T, text string) {
		code := language.Detect(text)
		if len(code) > 3 || code != language.Detect(text) {
			t.Errorf("got %q", code)
		}
	})
}
