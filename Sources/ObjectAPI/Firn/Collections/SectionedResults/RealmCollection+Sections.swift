import FirnValues

/// Grouping elements into sections by the values of a property.
extension RealmCollection where Element: KeypathSortable {
    /// Returns the elements sorted by a property, in sections of equal values.
    ///
    /// - Parameters:
    ///   - keyPath: The key path of a persisted or computed property. For a computed property, the
    ///     elements are sorted by the persisted properties that it reads.
    ///   - ascending: Whether the lowest value comes first.
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, ascending: Bool = true
    ) -> SectionedResults<Key, Element> { sections(by: keyPath, ascending: ascending) }

    /// Returns the elements sorted first by a property, in sections of its values.
    ///
    /// - Parameters:
    ///   - keyPath: The key path of a persisted or computed property.
    ///   - sortDescriptors: The sort descriptors, the first of which names the same persisted
    ///     property. The program stops otherwise.
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> { sections(by: keyPath, sortDescriptors) }
}

/// Grouping elements into sections by a closure.
extension RealmCollection {
    /// Returns the sorted elements in sections of equal keys.
    ///
    /// - Parameters:
    ///   - block: A closure that returns the key of an element, always the same for the same
    ///     values. The sections are in the order of their first elements.
    ///   - sortDescriptors: At least one sort descriptor. The program stops otherwise.
    public func sectioned<Key: _Persistable & Hashable>(
        by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
    ) -> SectionedResults<Key, Element> {
        sections(sortDescriptors, .block(block))
    }

    /// Returns the sorted elements in sections of equal keys.
    ///
    /// - Parameters:
    ///   - sortDescriptors: At least one sort descriptor. The program stops otherwise.
    ///   - keyBlock: A closure that returns the key of an element, always the same for the same
    ///     values.
    public func sectioned<Key: _Persistable & Hashable>(
        sortDescriptors: [SortDescriptor], _ keyBlock: @escaping (Element) -> Key
    ) -> SectionedResults<Key, Element> {
        sections(sortDescriptors, .block(keyBlock))
    }

    fileprivate func sections<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, ascending: Bool
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

    fileprivate func sections<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, _ sortDescriptors: [SortDescriptor]
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

    fileprivate func sections<Key>(
        _ sortDescriptors: [SortDescriptor], _ keys: SectionedCore<Key, Element>.KeySource
    ) -> SectionedResults<Key, Element> {
        guard !sortDescriptors.isEmpty else {
            misuse("sections need at least one sort descriptor: what belongs together is sorted")
        }
        return SectionedResults(SectionedCore(sorted(by: sortDescriptors), keys))
    }
}

/// Grouping values into sections.
extension RealmCollection {
    /// Returns the values in sorted order, in sections of equal keys.
    ///
    /// - Parameters:
    ///   - block: A closure that returns the key of a value. The program stops for collections of
    ///     objects, which need sort descriptors.
    ///   - ascending: Whether the lowest value comes first.
    public func sectioned<Key: _Persistable & Hashable>(
        by block: @escaping (Element) -> Key, ascending: Bool = true
    ) -> SectionedResults<Key, Element> {
        sections([SortDescriptor(keyPath: "self", ascending: ascending)], .block(block))
    }
}
