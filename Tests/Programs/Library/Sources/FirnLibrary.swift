import Firn
import Foundation

/// The works on a file of Firn.
struct FirnLibrary: Library {
    let realm: Realm

    init(folder: String) throws {
        realm = try Realm(
            configuration: Realm.Configuration(
                fileURL: URL(fileURLWithPath: "\(folder)/library.firn"),
                objectTypes: [Book.self, Author.self]))
    }

    func fill(_ count: Int) throws {
        try realm.write {
            let authors = (0..<Sample.authorCount).map { number in
                Author(value: ["id": number, "name": "Author \(number)", "born": number % 99])
            }
            realm.add(authors)
            for number in 0..<count {
                let book = Book(number)
                book.author = authors[Sample.author(number)]
                realm.add(book)
            }
        }
    }

    func sortByText() -> Int {
        realm.objects(Book.self).sorted(byKeyPath: "title").prefix(20).reduce(0) { $0 + $1.pages }
    }

    func delete() throws -> Int {
        let found = realm.objects(Book.self).where { $0.pages < 498 }
        let count = found.count
        try realm.write { realm.delete(found) }
        return count
    }

    func array() -> Any { Array(realm.objects(Book.self)) }

    func sumNumbers() -> Int {
        var sum = 0
        for book in realm.objects(Book.self) { sum += book.pages }
        return sum
    }

    func lookUp(_ count: Int) -> Int {
        var sum = 0
        for number in 0..<10_000 {
            let code = Sample.code(number &* 31 % count)
            sum += realm.objects(Book.self).where { $0.code == code }.first?.pages ?? 0
        }
        return sum
    }

    func followLinks() -> Int {
        var sum = 0
        for book in realm.objects(Book.self) { sum += book.author?.born ?? 0 }
        return sum
    }

    func sumOverLinks() -> Int { realm.objects(Book.self).sum(ofProperty: "author.born") }
}
