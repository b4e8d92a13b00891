import FirnEngine
import FirnPlatform
import FirnValues

/// The sections of a sorted collection in one epoch of its realm.
final class SectionedCore<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
    /// The source of the keys of elements.
    enum KeySource {
        /// A property of the objects, which is read without creating them.
        case property(String)
        case block((Element) -> Key)
        /// A computed property.
        case keyPath(KeyPath<Element, Key>)
    }

    /// The sections in the order of their first elements, with positions in the collection.
    struct Sections {
        fileprivate(set) var keys: [Key] = []
        fileprivate(set) var positions: [[Int]] = []
        private var indices: [ElementKey<Key>: Int] = [:]

        func index(of key: Key) -> Int? { indices[ElementKey(key)] }

        fileprivate mutating func gather(_ results: Results<Element>, _ key: (Element) -> Key) {
            for (position, element) in results.enumerated() {
                let index = index(adding: key(element))
                positions[index].append(position)
            }
        }

        fileprivate mutating func index(adding key: Key) -> Int {
            if let index = indices[ElementKey(key)] { return index }
            indices[ElementKey(key)] = keys.count
            keys.append(key)
            positions.append([])
            return keys.count - 1
        }
    }

    let results: Results<Element>
    let keySource: KeySource
    private var known: Sections?
    private var epoch: UInt64 = 0

    init(_ results: Results<Element>, _ keySource: KeySource) {
        self.results = results
        self.keySource = keySource
    }

    /// The sections that the realm shows now.
    ///
    /// - Complexity: O(elements) after the realm has advanced, otherwise O(1)
    var sections: Sections {
        let instance = results.core.instance
        instance.checkConfinement()
        guard instance.isFrozen else { return found(instance) }
        return lock.withLock { found(instance) }
    }

    /// A lock for frozen sections, which several threads may read.
    ///
    /// The block is called with it held.
    private let lock = Lock()

    private func found(_ instance: RealmInstance) -> Sections {
        if let known, epoch == instance.epoch { return known }
        let sections = load()
        known = sections
        epoch = instance.epoch
        return sections
    }

    private func load() -> Sections {
        var sections = Sections()
        switch keySource {
        case .block(let key): sections.gather(results, key)
        case .keyPath(let keyPath): sections.gather(results) { $0[keyPath: keyPath] }
        case .property(let name):
            var indices: [Value: Int] = [:]
            for (position, value) in results.core.storedValues(of: name).enumerated() {
                let index = indices[value] ?? sections.index(adding: key(value))
                indices[value] = index
                sections.positions[index].append(position)
            }
        }
        return sections
    }

    private func key(_ value: Value) -> Key {
        func decoded<T: RealmCollectionValue>(_ type: T.Type) -> Any {
            T._decode(_StoredValue(value), in: _RealmReference(results.core.instance))
        }
        guard let type = Key.self as? any RealmCollectionValue.Type,
            let key = decoded(type) as? Key
        else { misuse("\(Key.self) cannot be the key of sections") }
        return key
    }
}

extension _CollectionCore {
    /// Returns the values of a property of all objects, in their order.
    func storedValues(of keyPath: String) -> [Value] {
        let chain = chain(for: "reading \(keyPath)")
        let stage = chain.projection(keyPath)
        let columns = instance.reading("reading \(keyPath)") { () throws(StoreError) in
            _ = try chain.contentHere()
            return try chain.values([stage])
        }
        return columns?.first ?? []
    }
}
