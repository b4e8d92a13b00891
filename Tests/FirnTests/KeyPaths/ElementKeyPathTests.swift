// A key path through an element of a collection, such as `\Citizen.friends[0].age`, stopped the
// program with "index out of bounds": the object that key paths are applied to had empty
// collections. In Realm the position is ignored: the path is that of the property of all elements,
// `friends.age`.

import Firn
import Foundation
import Testing

private class BookShelf: Object {
    @Persisted var books: List<ShelfBook>
    @Persisted var loans: MutableSet<ShelfBook>
    @Persisted var signs: Map<String, ShelfBook?>
    @Persisted var numbers: List<Int>
}

private class ShelfBook: Object {
    @Persisted var title = ""
    @Persisted var pages = 0
    @Persisted var next: ShelfBook?
    @Persisted(originProperty: "books") var shelves: LinkingObjects<BookShelf>
}

private class BookShelfProjection: Projection<BookShelf> {
    @Projected(\BookShelf.books.first?.title) var firstTitle
}

@Suite("Key paths through an element of a collection")
struct ElementKeyPathTests {
    private let realm: Realm
    private let shelf: BookShelf

    init() throws {
        realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [BookShelf.self]))
        let shelf = BookShelf(value: ["books": [["title": "a"], ["title": "b"]]])
        shelf.signs["x"] = shelf.books[1]
        let realm = realm
        try realm.write { realm.add(shelf) }
        self.shelf = shelf
    }

    @Test("A key path through an element means all elements")
    func observing() throws {
        let keyPaths: [PartialKeyPath<BookShelf>] = [
            \.books[0].title, \.books[7].title, \.books.first?.title, \.books.last?.title,
            \.signs["x"]??.title,
        ]
        for keyPath in keyPaths {
            let told = Told()
            let token = shelf.observe(keyPaths: [keyPath]) { told.add($0.line) }
            realm.refresh()
            try realm.write { shelf.books[1].title += "c" }
            realm.refresh()
            #expect(told.news.count == 1)
            try realm.write { shelf.books[1].pages += 3 }
            realm.refresh()
            #expect(told.news.isEmpty)
            withExtendedLifetime(token) {}
        }
    }

    @Test("A key path through an element continues over links and inverses")
    func longer() throws {
        let told = Told()
        let tokens = [
            shelf.observe(keyPaths: [\BookShelf.books[0].next?.title]) { _ in told.add("next") },
            shelf.books[0].observe(keyPaths: [\ShelfBook.shelves[0].numbers]) { _ in
                told.add("numbers")
            },
            shelf.observe(keyPaths: [\BookShelf.numbers[0]]) { _ in told.add("number") },
        ]
        realm.refresh()
        try realm.write { shelf.books[1].next = ShelfBook(value: ["title": "n"]) }
        realm.refresh()
        #expect(told.news == ["next"])
        try realm.write { shelf.numbers.append(1) }
        realm.refresh()
        #expect(told.news.sorted() == ["number", "numbers"])
        withExtendedLifetime(tokens) {}
    }

    @Test("A key path of a projected property may lead through an element")
    func projection() throws {
        let projection = BookShelfProjection(projecting: shelf)
        #expect(projection.firstTitle == "a")
        let told = Told()
        let token = projection.observe { told.add($0.line) }
        realm.refresh()
        try realm.write { shelf.books[0].title = "c" }
        realm.refresh()
        #expect(told.news.count == 1)
        withExtendedLifetime(token) {}
    }
}
