/// Sections by the values of a property.
extension RealmCollection where Element: KeypathSortable {
    /// The elements in the order of a property, in sections of equal values.
    ///
    /// - Parameters:
    ///   - keyPath: of a persisted property, or of a computed one: the elements are then in the order of
    ///     the persisted properties that it reads.
    ///   - ascending: whether the lowest comes first.
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, ascending: Bool = true
    ) -> SectionedResults<Key, Element> {
        if let name = KeyPathNames.nameIfPersisted(of: keyPath) {
            return sections(
                [SortDescriptor(keyPath: name, ascending: ascending)], .property(name))
        }
        let origins = KeyPathNames.origins(of: keyPath)
        guard !origins.isEmpty else {
            misuse(
                "\(keyPath) reads no persisted property: pass sort descriptors to order the sections by"
            )
        }
        return sections(
            origins.map { SortDescriptor(keyPath: $0, ascending: ascending) }, .keyPath(keyPath))
    }

    /// The elements in an order that begins with a property, in sections of its values.
    ///
    /// - Parameters:
    ///   - keyPath: of a persisted property, or of a computed one.
    ///   - sortDescriptors: the first of them names the same persisted property; the program stops
    ///     otherwise.
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> {
        guard let name = KeyPathNames.nameIfPersisted(of: keyPath) else {
            return sections(sortDescriptors, .keyPath(keyPath))
        }
        guard sortDescriptors.first?.keyPath == name || sortDescriptors.isEmpty else {
            misuse(
                "sections of \(name) need \(name) as the first sort descriptor, not "
                    + (sortDescriptors.first?.keyPath ?? "none"))
        }
        return sections(sortDescriptors, .property(name))
    }
}

/// Sections by what a block says.
extension RealmCollection {
    /// The elements in an order, in sections of equal keys.
    ///
    /// - Parameters:
    ///   - block: gives the key of an element, always the same for the same values. Sections stand
    ///     where their first elements do.
    ///   - sortDescriptors: at least one; the program stops otherwise.
    public func sectioned<Key: _Persistable & Hashable>(
        by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> {
        sections(sortDescriptors, .block(block))
    }

    /// The elements in an order, in sections of equal keys.
    ///
    /// - Parameters:
    ///   - sortDescriptors: at least one; the program stops otherwise.
    ///   - keyBlock: gives the key of an element, always the same for the same values.
    public func sectioned<Key: _Persistable & Hashable>(
        sortDescriptors: [SortDescriptor], _ keyBlock: @escaping (Element) -> Key
    ) -> SectionedResults<Key, Element> {
        sections(sortDescriptors, .block(keyBlock))
    }

    fileprivate func sections<Key>(
        _ sortDescriptors: [SortDescriptor], _ keys: SectionedCore<Key, Element>.KeySource
    ) -> SectionedResults<Key, Element> {
        guard !sortDescriptors.isEmpty else {
            misuse("sections need at least one sort descriptor: what belongs together is sorted")
        }
        return SectionedResults(SectionedCore(sorted(by: sortDescriptors), keys))
    }
}

/// Sections of values.
extension RealmCollection where Element: SortableType {
    /// The values in their order, in sections of equal keys.
    ///
    /// - Parameters:
    ///   - block: gives the key of a value.
    ///   - ascending: whether the lowest comes first.
    public func sectioned<Key: _Persistable & Hashable>(
        by block: @escaping (Element) -> Key, ascending: Bool = true
    ) -> SectionedResults<Key, Element> {
        sections([SortDescriptor(keyPath: "self", ascending: ascending)], .block(block))
    }
}
