import Foundation
import GRDB

/// The works on a file of SQLite.
struct GRDBLibrary: Library {
    let database: DatabaseQueue

    init(folder: String) throws {
        database = try DatabaseQueue(path: "\(folder)/library.sqlite")
    }

    func fill(_ count: Int) throws {
        try database.write { database in
            try database.create(table: "author") { table in
                table.primaryKey("id", .integer)
                table.column("name", .text).notNull()
                table.column("born", .integer).notNull()
            }
            try database.create(table: "book") { table in
                table.primaryKey("id", .integer)
                table.column("title", .text).notNull()
                table.column("pages", .integer).notNull()
                table.column("code", .text).notNull().indexed()
                table.column("authorId", .integer).notNull().references("author")
            }
            for number in 0..<Sample.authorCount {
                try AuthorRecord(id: number, name: "Author \(number)", born: number % 99)
                    .insert(database)
            }
            for number in 0..<count {
                try BookRecord(
                    id: number, title: Sample.title(number), pages: Sample.pages(number),
                    code: Sample.code(number), authorId: Sample.author(number)
                ).insert(database)
            }
        }
    }

    func sortByText() throws -> Int {
        try database.read { database in
            try BookRecord.order(Column("title")).limit(20).fetchAll(database)
                .reduce(0) { $0 + $1.pages }
        }
    }

    func delete() throws -> Int {
        try database.write { database in
            try BookRecord.filter(sql: "pages < 498").deleteAll(database)
        }
    }

    func array() throws -> Any { try database.read { try BookRecord.fetchAll($0) } }

    func sumNumbers() throws -> Int {
        try database.read { database in
            var sum = 0
            let books = try BookRecord.fetchCursor(database)
            while let book = try books.next() { sum += book.pages }
            return sum
        }
    }

    func lookUp(_ count: Int) throws -> Int {
        try database.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT pages FROM book WHERE code = ?")
            var sum = 0
            for number in 0..<10_000 {
                let code = Sample.code(number &* 31 % count)
                sum += try Int.fetchOne(statement, arguments: [code]) ?? 0
            }
            return sum
        }
    }

    func followLinks() throws -> Int {
        try database.read { database in
            var sum = 0
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT author.born FROM book JOIN author ON author.id = book.authorId")
            while let row = try rows.next() { sum += row[0] as Int }
            return sum
        }
    }

    func sumOverLinks() throws -> Int {
        try database.read { database in
            try Int.fetchOne(
                database,
                sql: "SELECT sum(author.born) FROM book JOIN author ON author.id = book.authorId")
                ?? 0
        }
    }
}
