//===- SiteTable.cpp - The operations of a checked kernel -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SiteTable.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace uop {

json::Value toJSON(const SourcePosition &position) {
  return json::Object{{"file", position.file},
                      {"line", position.line},
                      {"column", position.column}};
}

bool fromJSON(const json::Value &value, SourcePosition &position,
              json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("file", position.file) &&
         map.map("line", position.line) && map.map("column", position.column);
}

template <typename Enum>
static bool mapEnum(json::ObjectMapper &map, StringLiteral key, Enum &value) {
  int64_t number = 0;
  if (!map.map(key, number))
    return false;
  value = static_cast<Enum>(number);
  return true;
}

static json::Value toJSON(const AccessSite &site) {
  return json::Object{{"op", site.op},
                      {"where", toJSON(site.where)},
                      {"kind", static_cast<int64_t>(site.kind)},
                      {"space", static_cast<int64_t>(site.space)},
                      {"bytes", site.bytes},
                      {"alignment", site.alignment},
                      {"view", site.view},
                      {"shared", site.sharedBuffer},
                      {"mayRace", site.mayRace}};
}

static bool fromJSON(const json::Value &value, AccessSite &site,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("op", site.op) && map.map("where", site.where) &&
         mapEnum(map, "kind", site.kind) && mapEnum(map, "space", site.space) &&
         map.map("bytes", site.bytes) && map.map("alignment", site.alignment) &&
         map.map("view", site.view) && map.map("shared", site.sharedBuffer) &&
         map.map("mayRace", site.mayRace);
}

static json::Value toJSON(const ViewSite &view) {
  return json::Object{{"where", toJSON(view.where)},
                      {"name", view.name},
                      {"space", static_cast<int64_t>(view.space)},
                      {"rank", view.rank},
                      {"elementBytes", view.elementBytes},
                      {"isGiven", view.isGiven}};
}

static bool fromJSON(const json::Value &value, ViewSite &view,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("where", view.where) && map.map("name", view.name) &&
         mapEnum(map, "space", view.space) && map.map("rank", view.rank) &&
         map.map("elementBytes", view.elementBytes) &&
         map.map("isGiven", view.isGiven);
}

static json::Value toJSON(const OpPlace &place) {
  return json::Object{{"op", place.op}, {"where", toJSON(place.where)}};
}

static bool fromJSON(const json::Value &value, OpPlace &place,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("op", place.op) && map.map("where", place.where);
}

static json::Value toJSON(const SharedBuffer &buffer) {
  return json::Object{{"zeroed", buffer.isZeroed}};
}

static bool fromJSON(const json::Value &value, SharedBuffer &buffer,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("zeroed", buffer.isZeroed);
}

template <typename T> static json::Array toArray(const std::vector<T> &values) {
  json::Array array;
  for (const T &value : values)
    array.push_back(toJSON(value));
  return array;
}

std::string SiteTable::print() const {
  std::string text;
  raw_string_ostream(text) << json::Value(
      json::Object{{"kernel", kernel},
                   {"subgroupSize", subgroupSize},
                   {"fences", hasFences},
                   {"accesses", toArray(accesses)},
                   {"views", toArray(views)},
                   {"shared", toArray(shared)},
                   {"places", toArray(places)}});
  return text;
}

Expected<SiteTable> SiteTable::parse(StringRef text) {
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return value.takeError();
  SiteTable table;
  json::Path::Root root("the table of a checked kernel");
  json::ObjectMapper map(*value, root);
  if (map && map.map("kernel", table.kernel) &&
      map.map("subgroupSize", table.subgroupSize) &&
      map.map("fences", table.hasFences) &&
      map.map("accesses", table.accesses) && map.map("views", table.views) &&
      map.map("shared", table.shared) && map.map("places", table.places))
    return table;
  return root.getError();
}

} // namespace uop
