import Firn
import GRDB

/// A book of the object API.
class Book: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var title = ""
    @Persisted var pages = 0
    @Persisted(indexed: true) var code = ""
    @Persisted var author: Author?

    convenience init(_ number: Int) {
        self.init()
        id = number
        title = Sample.title(number)
        pages = Sample.pages(number)
        code = Sample.code(number)
    }
}

/// An author of the object API.
class Author: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var born = 0
}

/// A book of GRDB.
struct BookRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "book"

    var id: Int
    var title: String
    var pages: Int
    var code: String
    var authorId: Int
}

/// An author of GRDB.
struct AuthorRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "author"

    var id: Int
    var name: String
    var born: Int
}

/// The values of both.
enum Sample {
    static let authorCount = 10_000

    static func title(_ number: Int) -> String {
        "Book \(number &* 7_919 % 1_000_003), volume \(number % 7)"
    }

    static func pages(_ number: Int) -> Int { number &* 31 % 997 }

    static func code(_ number: Int) -> String { "978-\(number &* 7_919 % 1_000_003)" }

    static func author(_ number: Int) -> Int { number &* 7_919 % authorCount }
}
