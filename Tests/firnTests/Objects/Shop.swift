import Firn
import FirnTesting
import Foundation

/// A class with properties of all kinds.
class Article: Object {
    @Persisted(primaryKey: true) var code = ""
    @Persisted var price: Decimal128
    @Persisted var stock = 0
    @Persisted var small: Int8 = 0
    @Persisted var weight: Double?
    @Persisted var isSold = false
    @Persisted var since: Date?
    @Persisted var serial: UUID?
    @Persisted var picture: Data?
    @Persisted var origin: ObjectId?
    @Persisted var extra: AnyRealmValue
    @Persisted var tags: MutableSet<String>
    @Persisted var sizes: Map<String, Int>
    @Persisted var maker: Maker?
    @Persisted var similar: List<Article>
    @Persisted var notes: List<ArticleNote>
}

class ArticleNote: EmbeddedObject {
    @Persisted var text = ""
}

class Maker: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(originProperty: "maker") var articles: LinkingObjects<Article>
}

/// A file that the command and this process use concurrently.
struct Shop {
    let folder = TemporaryFolder()
    private let firn: CommandRunner
    var path: String { folder("shop.firn") }
    var configuration: Realm.Configuration {
        Realm.Configuration(
            fileURL: URL(fileURLWithPath: path),
            objectTypes: [Article.self, ArticleNote.self, Maker.self])
    }

    init() throws { firn = CommandRunner(try builtExecutable(named: "firn")) }

    func run(_ words: String..., input: String = "") throws -> CommandResult {
        try firn.run(words.map { $0 == "FILE" ? path : $0 }, input: input)
    }
}
