package language

import (
	"math/bits"
	"strings"
	"sync"
)

// profile is what is typical of a language: letters that few others have, and
// its most frequent words.
type profile struct{ code, letters, words string }

// languages is how many languages are told apart by their words.
const languages = len(profileTable)

var profileTable = [...]profile{
	{"en", "", "the of and to in a is that for it as was with be by on not he his but at are this have had from or which one you were all her she there would their we him been has when who will no more if out so what up said about than into can only other new some could time these two may then do first any my now like our over such your how after also did many"},
	{"de", "äöüß", "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei kann gegen vom können schon wenn unter wir ich ihre seine uns diese dieser ihr mir was"},
	{"fr", "éèêàçùûîôœ", "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son aux d'un cette ou être ses comme mais on leur nous vous elle été fait ces même entre aussi deux tout bien sans dont sa ont ils peut était après avoir d'une c'est qu'il je si y avant encore très votre notre"},
	{"es", "ñáéíóú", "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué sólo han yo hay vez puede todos así nos ni parte tiene él uno donde bien tiempo mismo ese ahora cada vida otro"},
	{"pt", "ãõçáéíóúâêô", "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos ter seus quem nas me esse eles estão você tinha foram essa num nem suas meu às minha têm numa"},
	{"it", "àèéìòù", "di e il la che in a per un è del non una i le con si da sono della al come dei più alla nel anche ha gli lo delle ma dal o su se ci questo era degli dalla stato essere nella loro tra ed cui ai quando due suo tutti hanno anni sua prima solo ancora così dopo perché molto questa fa ad fatto può quello ogni mi nei dell'"},
	{"nl", "ë", "de van het een en in is dat op te zijn voor met die niet aan er om ook als door maar bij of uit nog naar dan heeft hij ze wordt over kan meer worden deze wel je tot dit was wat al zich hebben geen ik zo werd daar na had veel we jaar moet tegen hun onder kunnen goed waar alleen nu mensen andere zal hoe"},
	{"sv", "åäö", "och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan nu man när skulle år sin efter eller ut dem då under vara också över bara in blir där varit hade ska mycket vid alla denna vad två mot andra här detta blev upp även mer hur ingen sina sedan kommer många du"},
	{"da", "æøå", "og i at det er en til af på den som med for de har et der ikke han var men om vi sig fra jeg kan så vil ved ud efter skal eller nu også hvor da være blev man bliver mere hun over meget når havde hvad kun alle mange år op deres dette sin mod andre ind hvis kunne få to ned før hos været ville noget uden selv af blive dig mig"},
	{"nb", "æøå", "og i det på som er en til å av for at har med de ikke den han om et fra men var jeg seg vi så kan vil også etter der eller ved nå ble skal da hun være ut mer over når blir alle hadde bare noe mange man år opp bli mot hva andre sin dette to før denne kommer under fikk hvor får oss inn sier skulle kunne ha selv mye deg meg hvis"},
	{"fi", "äö", "ja on ei se että hän oli joka ovat mutta kun myös tai jos niin mukaan kuin olla sen ole vuoden ollut jo vain voi sekä nyt hänen mitä ne sitä siitä jotka vielä kanssa minä mikä tämä tämän sitten jonka muun noin ennen kaikki jälkeen eivät pitää siis koska olisi näin hyvin enemmän siellä oman tulee he itse aina suomen voidaan"},
	{"pl", "ąćęłńśźż", "w i na z się nie do to że jest o jak a po od za co przez ale dla tym są ze jego czy tak tylko już oraz może by być jej był było które który ich też ma przy go pod która lub bardzo tego jako także między jeszcze gdy między nad bez kiedy była sobie ja więc można roku mnie jednak nas wszystko aby we te"},
	{"cs", "ěřůčšžýďťň", "a v se na je že o s z do to i ve pro k jako si za by jsem ale tak po od co jsou podle který jeho která byl které při však také až nebo už byla ze již roku jen má ji než bylo jsme tím pouze může být této před kde mezi její více jak než není když bude proto"},
	{"sk", "ľĺŕôčšžťňä", "a v sa na je že o s z do to aj vo pre k ako si za by som ale tak po od čo sú podľa ktorý jeho ktorá bol ktoré pri však tiež až alebo už bola zo roku len má ju než bolo sme tým môže byť tejto pred kde medzi jej viac nie keď bude preto ktorí ich iba svoje kto túto"},
	{"hu", "őűáéíóöúü", "a az és hogy nem is egy meg ez de csak volt már ha mint még el azt ki kell van vagy én mert le sem úgy amely aki fel lehet nagy után most csak minden pedig azonban olyan össze között szerint majd ezt ami nagyon lesz maga ott így több illetve volna két itt be hanem akkor ezek azért lett való"},
	{"ro", "ășțâîşţ", "de și în a la cu pe o că nu un care din se este mai pentru ce au fost ca sa fi lui dar sunt sau prin după ale acest al am ai ei fie să fără între această are cum unui unei când numai ne toate îi era despre până cel cea cele aceste avea decât foarte acum și-a iar nici doar poate mult dintre"},
	{"tr", "ğışçöü", "bir ve bu da de için ile çok daha olarak gibi o en kadar olan sonra var ne ki ama ya her mi değil diye veya bunu ise iki şey olduğu tarafından yok oldu göre ben hem bütün büyük içinde yeni nasıl olduğunu önce böyle biz kendi bile ancak son onun sadece şu bana ilk zaman arasında etmek değildir fakat olur"},
	{"id", "", "yang dan di untuk dengan pada ini dari dalam itu tidak akan juga ke adalah oleh karena atau telah bisa ada sebagai dapat mereka saya orang lebih kepada anda tersebut sudah bahwa kita seperti secara tahun hanya menjadi banyak setelah saat satu lain kami dia belum masih namun jika harus antara para serta hari baru sebuah apa bagi agar"},
	{"vi", "ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ", "và của là có cho không được một những trong với các đã này người để khi đến về như ra từ cũng nhiều tôi nhưng vào đó lại sẽ làm theo năm hơn rất tại phải trên sau bị nếu còn mà nhất thì ngày việc chỉ hay qua"},
	{"ca", "çàèéíòóúï·", "de la i a el que en per un els les del una amb és no al com més es va o dels seva seu aquest són tot han hi ha si però aquesta entre també fins molt ser pel quan sobre on ja sense fer any anys així pels ho sense tots cada després nou altres era havia perquè dos també l'any d'un d'una ens"},
	{"hr", "čćđšž", "i u je se na da za su od s a o koji to kao ne će iz te bi ili sve kako koje koja do ali što samo nije još po bio već prema sam pri biti može gdje ako nakon više tako smo ima iako između zbog kod bila ja mogu te ovo tijekom bilo njegov svoje zatim godine ti mi vrlo prije dok ga uz"},
	{"sl", "čšž", "in je v na se da za so ki z pa s ne bi po tudi od pri ali kot do bo še o iz s kar že ter le bil zaradi ima pred več jih ni ko če med lahko kako bila bilo samo sem smo biti leta vse tako katerih ga vendar njegov svoje kjer nekaj imajo zelo sta kateri naj zato prav"},
	{"et", "õäöü", "ja on ei et ka kui oma see mis oli ning ta aga või siis nii seda mida ma kes selle välja juba pole üle kas veel need ole olla nagu kuid saab selles mille üks nende tema kõik sest enam vaid eesti palju ainult peale aasta kellel pärast juures kuni jaoks oleks mitte tuleb peab võib ise"},
	{"lv", "āčēģīķļņšūž", "un ir ar par no uz kas ka arī bet kā vai tas ko pēc to tiek lai tā ja nav pie vēl gan šo tikai līdz var gada jau tie savu šī kad viņš jo bija būs kur ne ļoti tad ļauj starp viņa pirms vairāk tiem mēs man visi kuri dēļ tomēr citi bez nebija"},
	{"lt", "ąčęėįšųūž", "ir kad yra į iš su tai kaip bet o tik jau nuo ar buvo apie dar po už savo dėl gali metų jis iki taip labai kurie prie jo per kas daugiau jų būti ką arba jei tačiau pat mes tuo nes kurių ji aš kurį vienas bus prieš kuris bei tarp mūsų lietuvos šiuo turi nėra todėl"},
	{"sq", "ëç", "të e në për dhe i me që një nga se si është u më do ka por edhe kjo nuk ai ky janë duke mund pas kishte deri ishte kanë shumë tij kur vetëm dy saj tyre këtë gjatë ose kësaj"},
	{"ru", "ыэё", "и в не на что с по это как он но из у к за от а то его для все так был о же бы до при их или мы только она было вы также может еще уже есть после были чтобы меня если когда во ее этот очень том под более время того будет себя году который этого которые нет лет где со"},
	{"uk", "іїєґ", "і в на не що з у та до за це як від але для про він його по й або так вже є які було був бути може лише також все їх я ми якщо тому при коли під під час цього ще вона щоб більше року який своїх між того після років україни із чи ж"},
	{"be", "ўіэы", "і ў на не што з у да за гэта як ад але для пра ён яго па або так ужо ёсць якія было быў можа таксама яны мы калі пры пад час яшчэ яна каб больш года які сваіх паміж таго пасля гадоў беларусі"},
	{"bg", "ъщ", "на и в да се за от с е не по са като че до това ще но си при което които му след или който беше може само през който бъде тя той има към така които те ги какво всички още когато дали между както ние една един годишно много вече ли има България си"},
	{"sr", "јљњђћџ", "и у је да се на за су од са а о који то као не ће из те би или све како које која до али што само није још по био већ према сам бити може где ако након више тако смо има године"},
	{"mk", "ѓќѕјљњџ", "на и во да се за од со е не ќе што по го ја си како кој но или му ги тоа кои беше при која до само сè оваа може повеќе македонија таа тој бидејќи години меѓу овој биде нема има ние според"},
}

// mask is a set of languages.
type mask uint64

// add raises the scores of the languages: the fewer share what was found, the
// more it says.
func (m mask) add(score *[languages]int, weight int) {
	if m == 0 {
		return
	}
	each := max(1, weight/bits.OnesCount64(uint64(m)))
	for ; m != 0; m &= m - 1 {
		score[bits.TrailingZeros64(uint64(m))] += each
	}
}

// profileIndex finds the languages that have a word or a letter.
type profileIndex struct {
	words   map[string]mask
	letters map[rune]mask
}

// profiles is made when a text is first looked at: most pages name their language.
var profiles = sync.OnceValue(func() profileIndex {
	index := profileIndex{words: make(map[string]mask, 2500), letters: make(map[rune]mask, 150)}
	for i, p := range profileTable {
		for word := range strings.FieldsSeq(p.words) {
			index.words[word] |= 1 << i
		}
		for _, letter := range p.letters {
			index.letters[letter] |= 1 << i
		}
	}
	return index
})
