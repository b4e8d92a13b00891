import Firn
import Foundation
import Testing

/// A copy of a collection that is updated by its changes only.
final class ObservedCopy {
    let name: String
    private var tokens: [NotificationToken] = []
    /// Compares the copy with its original.
    private(set) var check: () -> Void = {}

    private init(_ name: String) { self.name = name }

    func end() { for token in tokens { token.invalidate() } }

    /// A copy of a collection, by its positions; the old elements are compared with those in its
    /// deltas.
    convenience init<C: RealmCollection>(
        _ name: String, of collection: C, text: @escaping (C.Element) -> String
    ) {
        self.init(name)
        var lines: [String] = []
        var past: [String] = []
        tokens = [
            collection.observe { change in
                switch change {
                case .initial(let collection): lines = collection.map(text)
                case .update(let collection, let deletions, let insertions, let modifications):
                    var next: [String?] = lines
                    for index in modifications { next[index] = nil }
                    for index in deletions.reversed() { next.remove(at: index) }
                    if !collection.isInvalidated {
                        for index in insertions { next.insert(text(collection[index]), at: index) }
                        for index in next.indices where next[index] == nil {
                            next[index] = text(collection[index])
                        }
                    }
                    lines = next.compactMap(\.self)
                case .error(let error): Issue.record(error)
                }
            },
            collection.observeDeltas { change in
                switch change {
                case .initial(let collection): past = collection.map(text)
                case .update(let collection, let delta):
                    // Links of frozen objects lead to old objects, and so do all texts.
                    let told =
                        delta.deletions.map { ($0.index, text($0.element)) }
                        + delta.modifications.map { ($0.oldIndex, text($0.oldElement)) }
                    for (index, line) in told { #expect(line == past[index], "\(name)") }
                    past = collection.isInvalidated ? [] : collection.map(text)
                case .error(let error): Issue.record(error)
                }
            },
        ]
        check = {
            let expected = collection.isInvalidated ? [] : collection.map(text)
            #expect(lines == expected, "\(name)")
        }
    }

    /// A copy of a map, by its keys.
    convenience init<Value: RealmCollectionValue>(
        _ name: String, of map: Map<String, Value>, text: @escaping (Value) -> String
    ) {
        self.init(name)
        var lines: [String: String] = [:]
        func all(_ map: Map<String, Value>) -> [String: String] {
            Dictionary(uniqueKeysWithValues: map.map { ($0.key, text($0.value)) })
        }
        tokens = [
            map.observe { change in
                switch change {
                case .initial(let map): lines = all(map)
                case .update(let map, let deletions, let insertions, let modifications):
                    for key in deletions {
                        #expect(lines.removeValue(forKey: key) != nil, "\(name)")
                    }
                    for key in insertions { #expect(lines[key] == nil, "\(name)") }
                    for key in insertions + modifications { lines[key] = map[key].map(text) }
                case .error(let error): Issue.record(error)
                }
            }
        ]
        check = { #expect(lines == (map.isInvalidated ? [:] : all(map)), "\(name)") }
    }

    /// A copy of sections, by their positions and those of their elements.
    convenience init<Key, Element>(
        _ name: String, of sections: SectionedResults<Key, Element>,
        text: @escaping (Element) -> String
    ) {
        self.init(name)
        var lines: [[String?]] = []
        func all() -> [[String]] { sections.map { $0.map(text) } }
        tokens = [
            sections.observe { change in
                switch change {
                case .initial: lines = all()
                case .update(
                    let sections, let deletions, let insertions, let modifications, let inserted,
                    let deleted):
                    for path in modifications { lines[path[0]][path[1]] = nil }
                    for path in deletions.sorted().reversed() { lines[path[0]].remove(at: path[1]) }
                    for section in deleted.reversed() { lines.remove(at: section) }
                    for section in inserted { lines.insert([], at: section) }
                    for path in insertions.sorted() {
                        lines[path[0]].insert(text(sections[path[0]][path[1]]), at: path[1])
                    }
                    for (section, elements) in lines.enumerated() {
                        for (item, line) in elements.enumerated() where line == nil {
                            lines[section][item] = text(sections[section][item])
                        }
                    }
                }
            }
        ]
        check = { #expect(lines == all(), "\(name)") }
    }
}
